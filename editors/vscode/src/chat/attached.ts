// Images and PDF files that go with a message. Pure.

/** An image or a PDF file that was pasted or dropped; its data is in base64. */
export interface Picture {
  name: string;
  data: string;
}

/** How many characters the pictures of one message may have: what the server takes in one piece, with room to spare. */
export const mostPictures = 40_000_000;

/** Whether a value of the page is a list of them, and not too much for the server. */
export function arePictures(v: unknown): v is Picture[] {
  if (!Array.isArray(v)) return false;
  const list = v as (Partial<Picture> | null)[];
  const size = list.reduce((n, p) => n + (p?.data?.length ?? 0), 0);
  return size <= mostPictures && list.every((p) => typeof p?.name === 'string' && typeof p.data === 'string');
}
