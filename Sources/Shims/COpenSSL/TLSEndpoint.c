#include "COpenSSL.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct conform_identity {
    EVP_PKEY *key;
    X509 *certificate;
};

static int add_extension(X509 *certificate, X509 *issuer, int number, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_nconf_nid(NULL, &context, number, value);
    int result = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return result;
}

static int fill(
    conform_identity *identity, const conform_identity *issuer, const char *common_name,
    const char *names, int64_t from, int64_t to, const char *purpose) {
    int is_authority = purpose[0] == 0;
    X509 *certificate = identity->certificate;
    X509 *by = issuer == NULL ? certificate : issuer->certificate;
    uint8_t serial[8];
    if (RAND_bytes(serial, sizeof serial) != 1) return 0;
    uint64_t number = 0;
    memcpy(&number, serial, sizeof serial);
    time_t now = time(NULL);
    X509_NAME *subject = X509_get_subject_name(certificate);
    // RSA without a key exchange of its own encrypts with the key of the certificate.
    const char *usage = is_authority ? "critical,keyCertSign,cRLSign"
        : EVP_PKEY_is_a(identity->key, "RSA") ? "critical,digitalSignature,keyEncipherment"
                                              : "critical,digitalSignature";
    const char *constraints = is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE";
    return X509_set_version(certificate, X509_VERSION_3) == 1
        && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number >> 1) == 1
        && ASN1_TIME_set(X509_getm_notBefore(certificate), now + from) != NULL
        && ASN1_TIME_set(X509_getm_notAfter(certificate), now + to) != NULL
        && X509_NAME_add_entry_by_txt(
               subject, "CN", MBSTRING_UTF8, (const uint8_t *)common_name, -1, -1, 0) == 1
        && X509_set_issuer_name(certificate, X509_get_subject_name(by)) == 1
        && X509_set_pubkey(certificate, identity->key) == 1
        && add_extension(certificate, by, NID_basic_constraints, constraints)
        && add_extension(certificate, by, NID_key_usage, usage)
        && add_extension(certificate, by, NID_subject_key_identifier, "hash")
        && (issuer == NULL
            || add_extension(certificate, by, NID_authority_key_identifier, "keyid:always"))
        && (is_authority || add_extension(certificate, by, NID_ext_key_usage, purpose))
        && (names[0] == 0 || add_extension(certificate, by, NID_subject_alt_name, names))
        && X509_sign(
               certificate, issuer == NULL ? identity->key : issuer->key, EVP_sha256()) > 0;
}

conform_identity *conform_identity_new(
    const conform_identity *issuer, const char *common_name, const char *names, int64_t from,
    int64_t to, const char *purpose, int is_rsa) {
    conform_identity *identity = calloc(1, sizeof *identity);
    if (identity == NULL) return NULL;
    identity->key = is_rsa ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256");
    identity->certificate = X509_new();
    if (identity->key != NULL && identity->certificate != NULL
        && fill(identity, issuer, common_name, names, from, to, purpose))
        return identity;
    conform_identity_free(identity);
    ERR_clear_error();
    return NULL;
}

void conform_identity_free(conform_identity *identity) {
    if (identity == NULL) return;
    EVP_PKEY_free(identity->key);
    X509_free(identity->certificate);
    free(identity);
}

char *conform_identity_pem(const conform_identity *identity, int with_key, size_t *length) {
    BIO *text = BIO_new(BIO_s_mem());
    char *result = NULL;
    if (text != NULL && PEM_write_bio_X509(text, identity->certificate) == 1
        && (!with_key
            || PEM_write_bio_PrivateKey(text, identity->key, NULL, NULL, 0, NULL, NULL) == 1)) {
        char *bytes = NULL;
        long count = BIO_get_mem_data(text, &bytes);
        if (count > 0 && (result = malloc((size_t)count)) != NULL) {
            memcpy(result, bytes, (size_t)count);
            *length = (size_t)count;
        }
    }
    BIO_free(text);
    return result;
}

struct conform_tls_settings {
    SSL_CTX *context;
    int is_server;
    // The application protocols of a server, in the form of the extension.
    uint8_t *protocols;
    unsigned protocols_length;
    // The session that a client resumes; NULL before it has one.
    SSL_SESSION *session;
};

struct conform_tls {
    SSL *state;
    BIO *input;
    BIO *output;
    BIO *keys;
    int leniencies;
};

static void take_keys(const SSL *state, const char *line) {
    conform_tls *end = SSL_get_app_data(state);
    if (end == NULL || end->keys == NULL) return;
    BIO_puts(end->keys, line);
    BIO_puts(end->keys, "\n");
}

static int choose_protocol(
    SSL *state, const uint8_t **chosen, uint8_t *length, const uint8_t *offered,
    unsigned offered_length, void *argument) {
    (void)state;
    conform_tls_settings *settings = argument;
    int result = SSL_select_next_proto(
        (uint8_t **)chosen, length, settings->protocols, settings->protocols_length, offered,
        offered_length);
    return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

conform_tls_settings *conform_tls_settings_new(int is_server) {
    conform_tls_settings *settings = calloc(1, sizeof *settings);
    if (settings == NULL) return NULL;
    settings->is_server = is_server;
    settings->context = SSL_CTX_new(is_server ? TLS_server_method() : TLS_client_method());
    if (settings->context == NULL) {
        free(settings);
        return NULL;
    }
    SSL_CTX_set_keylog_callback(settings->context, take_keys);
    SSL_CTX_set_mode(
        settings->context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // Old versions are offered if a suite demands them.
    SSL_CTX_set_security_level(settings->context, 0);
    // Only what the decoder decrypts; the order is that of the client.
    if (is_server
        && (SSL_CTX_set_dh_auto(settings->context, 1) != 1
            || !conform_tls_settings_suites(
                settings, "ALL:!aNULL:!eNULL:!PSK:!SRP:!RC4:!CAMELLIA:!ARIA:!SEED:!IDEA",
                "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:"
                "TLS_AES_128_CCM_SHA256:TLS_AES_128_CCM_8_SHA256"))) {
        conform_tls_settings_free(settings);
        return NULL;
    }
    return settings;
}

void conform_tls_settings_free(conform_tls_settings *settings) {
    if (settings == NULL) return;
    SSL_CTX_free(settings->context);
    SSL_SESSION_free(settings->session);
    free(settings->protocols);
    free(settings);
}

int conform_tls_settings_versions(conform_tls_settings *settings, int least, int most) {
    return SSL_CTX_set_min_proto_version(settings->context, least) == 1
        && SSL_CTX_set_max_proto_version(settings->context, most) == 1;
}

int conform_tls_settings_suites(
    conform_tls_settings *settings, const char *before_13, const char *of_13) {
    return SSL_CTX_set_cipher_list(settings->context, before_13) == 1
        && SSL_CTX_set_ciphersuites(settings->context, of_13) == 1;
}

int conform_tls_settings_protocols(
    conform_tls_settings *settings, const uint8_t *list, size_t length) {
    if (length == 0 || length > UINT16_MAX) return 0;
    if (!settings->is_server)
        return SSL_CTX_set_alpn_protos(settings->context, list, (unsigned)length) == 0;
    free(settings->protocols);
    settings->protocols = malloc(length);
    if (settings->protocols == NULL) return 0;
    memcpy(settings->protocols, list, length);
    settings->protocols_length = (unsigned)length;
    SSL_CTX_set_alpn_select_cb(settings->context, choose_protocol, settings);
    return 1;
}

int conform_tls_settings_certificate(
    conform_tls_settings *settings, const conform_identity *identity) {
    return SSL_CTX_use_certificate(settings->context, identity->certificate) == 1
        && SSL_CTX_use_PrivateKey(settings->context, identity->key) == 1;
}

int conform_tls_settings_chain(
    conform_tls_settings *settings, const conform_identity *identity) {
    return SSL_CTX_add1_chain_cert(settings->context, identity->certificate) == 1;
}

int conform_tls_settings_ask(
    conform_tls_settings *settings, const conform_identity *authority, int is_required) {
    const uint8_t place[] = "conform";
    SSL_CTX_set_verify(
        settings->context,
        SSL_VERIFY_PEER | (is_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0), NULL);
    return SSL_CTX_set_session_id_context(settings->context, place, sizeof place - 1) == 1
        && SSL_CTX_add_client_CA(settings->context, authority->certificate) == 1
        && X509_STORE_add_cert(
               SSL_CTX_get_cert_store(settings->context), authority->certificate) == 1;
}

int conform_tls_settings_no_tickets(conform_tls_settings *settings) {
    SSL_CTX_set_options(settings->context, SSL_OP_NO_TICKET);
    SSL_CTX_set_session_cache_mode(settings->context, SSL_SESS_CACHE_OFF);
    return SSL_CTX_set_num_tickets(settings->context, 0) == 1;
}

// Keeps the latest session of a client; returns 1 because it keeps the reference.
static int keep_session(SSL *state, SSL_SESSION *session) {
    conform_tls_settings *settings = SSL_CTX_get_app_data(SSL_get_SSL_CTX(state));
    SSL_SESSION_free(settings->session);
    settings->session = session;
    return 1;
}

void conform_tls_settings_resume(conform_tls_settings *settings) {
    SSL_CTX_set_app_data(settings->context, settings);
    SSL_CTX_set_session_cache_mode(
        settings->context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(settings->context, keep_session);
}

char *conform_tls_suite(const char *name) {
    const char *own = OPENSSL_cipher_name(name);
    return own == NULL || strcmp(own, "(NONE)") == 0 ? NULL : strdup(own);
}

conform_tls *conform_tls_new(const conform_tls_settings *settings, const char *server_name) {
    conform_tls *end = calloc(1, sizeof *end);
    if (end == NULL) return NULL;
    end->state = SSL_new(settings->context);
    end->input = BIO_new(BIO_s_mem());
    end->output = BIO_new(BIO_s_mem());
    end->keys = BIO_new(BIO_s_mem());
    if (end->state == NULL || end->input == NULL || end->output == NULL || end->keys == NULL) {
        BIO_free(end->input);
        BIO_free(end->output);
        end->input = end->output = NULL;
        conform_tls_free(end);
        return NULL;
    }
    SSL_set_bio(end->state, end->input, end->output);
    SSL_set_app_data(end->state, end);
    if (settings->is_server) {
        SSL_set_accept_state(end->state);
    } else {
        SSL_set_connect_state(end->state);
        if (server_name[0] != 0) SSL_set_tlsext_host_name(end->state, server_name);
        if (settings->session != NULL) SSL_set_session(end->state, settings->session);
    }
    return end;
}

static int is_accepted(int leniencies, int error) {
    switch (error) {
    case X509_V_ERR_HOSTNAME_MISMATCH: return leniencies & CONFORM_TLS_ANY_NAME;
    case X509_V_ERR_CERT_NOT_YET_VALID:
    case X509_V_ERR_CERT_HAS_EXPIRED: return leniencies & CONFORM_TLS_ANY_TIME;
    case X509_V_ERR_INVALID_PURPOSE: return leniencies & CONFORM_TLS_ANY_USAGE;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return leniencies & CONFORM_TLS_SELF_SIGNED;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: return leniencies & CONFORM_TLS_ANY_ISSUER;
    default: return 0;
    }
}

static int decide(int is_valid, X509_STORE_CTX *context) {
    SSL *state = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx());
    const conform_tls *end = SSL_get_app_data(state);
    if (is_valid || !is_accepted(end->leniencies, X509_STORE_CTX_get_error(context)))
        return is_valid;
    X509_STORE_CTX_set_error(context, X509_V_OK);
    return 1;
}

int conform_tls_authenticate(
    conform_tls *end, const char *authorities, const char *name, int leniencies) {
    X509_STORE *store = X509_STORE_new();
    end->leniencies = leniencies;
    SSL_set_verify(end->state, SSL_VERIFY_PEER, decide);
    // RFC 9525 6.4.4: a common name does not identify a server.
    SSL_set_hostflags(
        end->state, leniencies & CONFORM_TLS_COMMON_NAME ? 0 : X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    int is_set = store != NULL && X509_STORE_load_file(store, authorities) == 1
        && SSL_set1_verify_cert_store(end->state, store) == 1 && SSL_set1_host(end->state, name) == 1;
    X509_STORE_free(store);
    ERR_clear_error();
    return is_set;
}

void conform_tls_free(conform_tls *end) {
    if (end == NULL) return;
    // Otherwise OpenSSL resumes no session that ended without close_notify.
    if (end->state != NULL)
        SSL_set_shutdown(end->state, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    SSL_free(end->state);
    BIO_free(end->keys);
    free(end);
}

size_t conform_tls_receive(conform_tls *end, const uint8_t *bytes, size_t count) {
    size_t taken = 0;
    return BIO_write_ex(end->input, bytes, count, &taken) == 1 ? taken : 0;
}

// Whether the last operation only waits for bytes of the other end.
static int waits(conform_tls *end, int result) {
    int error = SSL_get_error(end->state, result);
    ERR_clear_error();
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

int conform_tls_proceed(conform_tls *end) {
    ERR_clear_error();
    int result = SSL_do_handshake(end->state);
    if (result == 1) return 1;
    return waits(end, result) ? 0 : -1;
}

long conform_tls_read(conform_tls *end, uint8_t *bytes, size_t room) {
    ERR_clear_error();
    int result = SSL_read(end->state, bytes, room > INT_MAX ? INT_MAX : (int)room);
    if (result > 0) return result;
    return waits(end, result) ? 0 : -1;
}

int conform_tls_write(conform_tls *end, const uint8_t *bytes, size_t count) {
    ERR_clear_error();
    size_t done = 0;
    while (done < count) {
        size_t written = 0;
        if (SSL_write_ex(end->state, bytes + done, count - done, &written) != 1) {
            ERR_clear_error();
            return 0;
        }
        done += written;
    }
    return 1;
}

void conform_tls_close(conform_tls *end) {
    ERR_clear_error();
    if (SSL_is_init_finished(end->state)) SSL_shutdown(end->state);
    ERR_clear_error();
}

static size_t take(BIO *from, uint8_t *bytes, size_t room) {
    size_t count = 0;
    return BIO_read_ex(from, bytes, room, &count) == 1 ? count : 0;
}

size_t conform_tls_output(conform_tls *end, uint8_t *bytes, size_t room) {
    return take(end->output, bytes, room);
}

size_t conform_tls_keys(conform_tls *end, uint8_t *bytes, size_t room) {
    return take(end->keys, bytes, room);
}
