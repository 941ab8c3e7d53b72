#include "spill/encrypted_file.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <string>
#include <utility>

namespace accelerant::spill {

namespace {

constexpr int64_t kBlockBytes = 16;
/// So much is encrypted at a time, beside the bytes that are written, which others may read.
constexpr int64_t kStepBytes = int64_t{64} << 10;
/// OpenSSL counts in int.
constexpr int64_t kMostBytes = int64_t{1} << 30;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

void check_cipher(bool succeeded, const char* what) {
  if (!succeeded) throw Error(ErrorKind::Resource, std::string("spill files can't be encrypted: ") + what + " failed");
}

/// Has OpenSSL read no configuration of the machine's, and free nothing when the process ends: threads still run then.
void start_openssl() {
  static const bool kStarted = OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT, nullptr) == 1;
  check_cipher(kStarted, "starting OpenSSL");
}

class EncryptedFile final : public File {
 public:
  explicit EncryptedFile(std::unique_ptr<File> file) : file_(std::move(file)) {
    start_openssl();
    check_cipher(RAND_priv_bytes(key_.data(), static_cast<int>(key_.size())) == 1, "drawing a key");
  }
  EncryptedFile(const EncryptedFile&) = delete;
  EncryptedFile& operator=(const EncryptedFile&) = delete;
  ~EncryptedFile() override { OPENSSL_cleanse(key_.data(), key_.size()); }

  int64_t write(int64_t offset, const uint8_t* from, int64_t num_bytes) override {
    std::array<uint8_t, kStepBytes> step;
    const int64_t now = std::min(num_bytes, kStepBytes);
    apply(offset, from, step.data(), now);
    return file_->write(offset, step.data(), now);
  }

  int64_t read(int64_t offset, uint8_t* to, int64_t num_bytes) override {
    const int64_t read = file_->read(offset, to, num_bytes);
    if (read > 0) apply(offset, to, to, read);
    return read;
  }

 private:
  /// Encrypts or decrypts what lies at an offset; in place, where `to` is `from`.
  void apply(int64_t offset, const uint8_t* from, uint8_t* to, int64_t num_bytes) const {
    const Context context(EVP_CIPHER_CTX_new());
    check_cipher(context != nullptr, "making a cipher");
    const std::array<uint8_t, kBlockBytes> counter = counter_at(offset / kBlockBytes);
    check_cipher(EVP_EncryptInit_ex(context.get(), EVP_aes_256_ctr(), nullptr, key_.data(), counter.data()) == 1,
                 "setting a key");
    // What the counter's block has for the bytes before.
    std::array<uint8_t, kBlockBytes> before{};
    run(context.get(), before.data(), before.data(), offset % kBlockBytes);
    for (int64_t done = 0; done < num_bytes;) {
      const int64_t now = std::min(num_bytes - done, kMostBytes);
      run(context.get(), from + done, to + done, now);
      done += now;
    }
  }

  /// Returns the counter of a block of 16 bytes, as 128 bits, the highest first.
  static std::array<uint8_t, kBlockBytes> counter_at(int64_t block) {
    std::array<uint8_t, kBlockBytes> counter{};
    for (size_t i = 0; i < sizeof(block); ++i) counter[kBlockBytes - 1 - i] = static_cast<uint8_t>(block >> (8 * i));
    return counter;
  }

  static void run(EVP_CIPHER_CTX* context, const uint8_t* from, uint8_t* to, int64_t num_bytes) {
    int done = 0;
    check_cipher(EVP_EncryptUpdate(context, to, &done, from, static_cast<int>(num_bytes)) == 1 && done == num_bytes,
                 "encrypting");
  }

  const std::unique_ptr<File> file_;
  std::array<uint8_t, 32> key_{};
};

}  // namespace

std::unique_ptr<File> encrypted(std::unique_ptr<File> file) { return std::make_unique<EncryptedFile>(std::move(file)); }

}  // namespace accelerant::spill
