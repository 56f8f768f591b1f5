/* The one function of bcryptprimitives.dll that Go programs call, for Wine before 9.0, which has no such library.
   Where Windows keeps its random numbers otherwise, advapi32 gives them by this name. .ci/systems builds it. */
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *to, unsigned long n);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *to, unsigned long long n) {
	while (n > 0) {
		unsigned long part = n > 0x1000000 ? 0x1000000 : (unsigned long)n;
		if (!SystemFunction036(to, part)) return 0;
		to += part;
		n -= part;
	}
	return 1;
}

int __stdcall DllMain(void *module, unsigned long why, void *reserved) { return 1; }
