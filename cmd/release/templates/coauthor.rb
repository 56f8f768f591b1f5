class Coauthor < Formula
  desc "<<.Description>>"
  homepage "https://github.com/<<.Repository>>"
  version "<<.Version>>"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "<<url "darwin" "arm64">>"
      sha256 "<<sum "darwin" "arm64">>"
    end
    on_intel do
      url "<<url "darwin" "amd64">>"
      sha256 "<<sum "darwin" "amd64">>"
    end
  end

  on_linux do
    on_arm do
      url "<<url "linux" "arm64">>"
      sha256 "<<sum "linux" "arm64">>"
    end
    on_intel do
      url "<<url "linux" "amd64">>"
      sha256 "<<sum "linux" "amd64">>"
    end
  end

  def install
    bin.install "coauthor"
    pkgshare.install "editors"
  end

  def caveats
    "How to set up your editor: #{opt_pkgshare}/editors/README.md"
  end

  test do
    assert_match "coauthor", shell_output("#{bin}/coauthor version")
  end
end
