// What conform needs of OpenSSL (libcrypto, libssl): ciphers, key derivation, and certificates.
#ifndef CONFORM_OPENSSL_H
#define CONFORM_OPENSSL_H

#include <stddef.h>
#include <stdint.h>

// A cipher with a key, which decrypts records.
typedef struct conform_cipher conform_cipher;

// Returns a cipher; NULL if OpenSSL does not have it. A tag length of 0 means CBC without padding.
conform_cipher *conform_cipher_new(
    const char *name, const uint8_t *key, size_t key_length, size_t iv_length, size_t tag_length);
void conform_cipher_free(conform_cipher *cipher);

// Decrypts `length` bytes, which the tag follows, and checks the tag. Returns 1 if it is right.
int conform_cipher_open(
    conform_cipher *cipher, const uint8_t *iv, const uint8_t *aad, size_t aad_length,
    const uint8_t *input, size_t length, uint8_t *output);

// Decrypts whole blocks in CBC mode. Returns 1 if it succeeds.
int conform_cipher_decrypt_blocks(
    conform_cipher *cipher, const uint8_t *iv, const uint8_t *input, size_t length,
    uint8_t *output);

// Expands a secret by HKDF-Expand (RFC 5869 2.3). Returns 1 if it succeeds.
int conform_hkdf_expand(
    const char *digest, const uint8_t *secret, size_t secret_length, const uint8_t *info,
    size_t info_length, uint8_t *output, size_t length);

// Expands a secret by the function of TLS up to 1.2 (RFC 5246 5). Returns 1 if it succeeds.
int conform_tls_prf(
    const char *digest, const uint8_t *secret, size_t secret_length, const uint8_t *seed,
    size_t seed_length, uint8_t *output, size_t length);

// Computes an HMAC; returns its length, 0 if it fails. The output has room for 64 bytes.
size_t conform_hmac(
    const char *digest, const uint8_t *key, size_t key_length, const uint8_t *input,
    size_t length, uint8_t *output);

// Returns whether two memory areas are equal, in a time that does not depend on their contents.
int conform_equal(const uint8_t *left, const uint8_t *right, size_t length);

// Returns a certificate as texts that end with a zero byte each, which the caller frees: subject,
// issuer, serial number, begin and end of its validity, then its names (`DNS:example.com`).
// NULL if the bytes are not a certificate.
char *conform_certificate_texts(const uint8_t *der, size_t length, size_t *text_length);

// A certificate with its key.
typedef struct conform_identity conform_identity;

// Creates a certificate; NULL if OpenSSL refuses the names. Without an issuer it signs itself. The
// names are those of OpenSSL's configuration (`DNS:example.com,IP:192.0.2.1`), empty for none; the
// validity is in seconds from now; the purpose is `serverAuth` or the like, empty for an authority.
conform_identity *conform_identity_new(
    const conform_identity *issuer, const char *common_name, const char *names, int64_t from,
    int64_t to, const char *purpose, int is_rsa);
void conform_identity_free(conform_identity *identity);
// Returns the certificate as PEM, with its key or without, which the caller frees; NULL if memory is
// exhausted.
char *conform_identity_pem(const conform_identity *identity, int with_key, size_t *length);

// The settings of connections.
typedef struct conform_tls_settings conform_tls_settings;

conform_tls_settings *conform_tls_settings_new(int is_server);
void conform_tls_settings_free(conform_tls_settings *settings);
// Each returns 1 if OpenSSL accepts the setting.
int conform_tls_settings_versions(conform_tls_settings *settings, int least, int most);
int conform_tls_settings_suites(
    conform_tls_settings *settings, const char *before_13, const char *of_13);
int conform_tls_settings_protocols(
    conform_tls_settings *settings, const uint8_t *list, size_t length);
int conform_tls_settings_certificate(
    conform_tls_settings *settings, const conform_identity *identity);
int conform_tls_settings_chain(
    conform_tls_settings *settings, const conform_identity *identity);
// Makes a server ask for a certificate of an authority, and accept no other one.
int conform_tls_settings_ask(
    conform_tls_settings *settings, const conform_identity *authority, int is_required);
// Makes a server resume no session.
int conform_tls_settings_no_tickets(conform_tls_settings *settings);
// Makes a client resume the latest session of these settings.
void conform_tls_settings_resume(conform_tls_settings *settings);

// Returns OpenSSL's name of a cipher suite with a registered name, which the caller frees; NULL if
// it has none.
char *conform_tls_suite(const char *name);

// One end of a connection, which exchanges bytes with its user only.
typedef struct conform_tls conform_tls;

conform_tls *conform_tls_new(const conform_tls_settings *settings, const char *server_name);
void conform_tls_free(conform_tls *end);
// What a client does not check of a server.
#define CONFORM_TLS_ANY_NAME 1
#define CONFORM_TLS_ANY_TIME 2
#define CONFORM_TLS_ANY_USAGE 4
#define CONFORM_TLS_SELF_SIGNED 8
#define CONFORM_TLS_ANY_ISSUER 16
#define CONFORM_TLS_COMMON_NAME 32
// Makes a client authenticate the server of a name by the authorities in a file of PEM, apart from
// the leniencies. Returns 1 if OpenSSL accepts it.
int conform_tls_authenticate(
    conform_tls *end, const char *authorities, const char *name, int leniencies);
// Takes bytes of the other end. Returns how many were taken.
size_t conform_tls_receive(conform_tls *end, const uint8_t *bytes, size_t count);
// Continues the handshake. Returns 1 if it is finished, 0 if it waits, -1 if it failed.
int conform_tls_proceed(conform_tls *end);
// Reads decrypted bytes. Returns their number, 0 if there are none, -1 at the end or on failure.
long conform_tls_read(conform_tls *end, uint8_t *bytes, size_t room);
// Encrypts bytes. Returns 1 if they were taken.
int conform_tls_write(conform_tls *end, const uint8_t *bytes, size_t count);
// Sends close_notify.
void conform_tls_close(conform_tls *end);
// Takes bytes for the other end. Returns their number.
size_t conform_tls_output(conform_tls *end, uint8_t *bytes, size_t room);
// Takes lines of the key log. Returns their number of bytes.
size_t conform_tls_keys(conform_tls *end, uint8_t *bytes, size_t room);

#endif
