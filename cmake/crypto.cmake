# OpenSSL's libcrypto as the target accelerant_crypto: linked in, hidden, so that it is no other one of the process. It
# comes before Arrow's libraries, one of which shows what it has of OpenSSL.

find_library(ACCELERANT_LIBCRYPTO libcrypto.a REQUIRED)
add_library(accelerant_crypto INTERFACE)
target_link_libraries(accelerant_crypto INTERFACE ${ACCELERANT_LIBCRYPTO})
target_link_options(accelerant_crypto INTERFACE LINKER:--exclude-libs,libcrypto.a)
