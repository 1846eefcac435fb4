#include "COpenSSL.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct conform_cipher {
    EVP_CIPHER *type;
    EVP_CIPHER_CTX *context;
    uint8_t key[EVP_MAX_KEY_LENGTH];
    int iv_length;
    int tag_length;
    int is_ccm;
};

// Sets the lengths and the key. CCM needs this for each record, because the tag belongs to it.
static int start(conform_cipher *cipher, const uint8_t *tag) {
    EVP_CIPHER_CTX *context = cipher->context;
    if (EVP_DecryptInit_ex(context, cipher->type, NULL, NULL, NULL) != 1) return 0;
    if (cipher->tag_length == 0) {
        if (EVP_DecryptInit_ex(context, NULL, NULL, cipher->key, NULL) != 1) return 0;
        return EVP_CIPHER_CTX_set_padding(context, 0) == 1;
    }
    if (EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, cipher->iv_length, NULL) != 1)
        return 0;
    if (cipher->is_ccm
        && EVP_CIPHER_CTX_ctrl(
               context, EVP_CTRL_AEAD_SET_TAG, cipher->tag_length, (void *)tag) != 1)
        return 0;
    return EVP_DecryptInit_ex(context, NULL, NULL, cipher->key, NULL) == 1;
}

conform_cipher *conform_cipher_new(
    const char *name, const uint8_t *key, size_t key_length, size_t iv_length, size_t tag_length) {
    if (key_length > EVP_MAX_KEY_LENGTH || iv_length > EVP_MAX_IV_LENGTH || tag_length > 16)
        return NULL;
    conform_cipher *cipher = calloc(1, sizeof *cipher);
    if (cipher == NULL) return NULL;
    cipher->type = EVP_CIPHER_fetch(NULL, name, NULL);
    cipher->context = EVP_CIPHER_CTX_new();
    memcpy(cipher->key, key, key_length);
    cipher->iv_length = (int)iv_length;
    cipher->tag_length = (int)tag_length;
    if (cipher->type != NULL && cipher->context != NULL
        && (size_t)EVP_CIPHER_get_key_length(cipher->type) == key_length) {
        cipher->is_ccm = EVP_CIPHER_get_mode(cipher->type) == EVP_CIPH_CCM_MODE;
        if (start(cipher, NULL)) return cipher;
    }
    conform_cipher_free(cipher);
    return NULL;
}

void conform_cipher_free(conform_cipher *cipher) {
    if (cipher == NULL) return;
    EVP_CIPHER_CTX_free(cipher->context);
    EVP_CIPHER_free(cipher->type);
    OPENSSL_cleanse(cipher->key, sizeof cipher->key);
    free(cipher);
}

int conform_cipher_open(
    conform_cipher *cipher, const uint8_t *iv, const uint8_t *aad, size_t aad_length,
    const uint8_t *input, size_t length, uint8_t *output) {
    EVP_CIPHER_CTX *context = cipher->context;
    if (length > INT_MAX || aad_length > INT_MAX) return 0;
    const uint8_t *tag = input + length;
    int count = 0;
    if (cipher->is_ccm && !start(cipher, tag)) return 0;
    if (EVP_DecryptInit_ex(context, NULL, NULL, NULL, iv) != 1) return 0;
    if (cipher->is_ccm && EVP_DecryptUpdate(context, NULL, &count, NULL, (int)length) != 1)
        return 0;
    if (EVP_DecryptUpdate(context, NULL, &count, aad, (int)aad_length) != 1) return 0;
    if (length > 0 || cipher->is_ccm) {
        if (EVP_DecryptUpdate(context, output, &count, input, (int)length) != 1) return 0;
    }
    if (cipher->is_ccm) return 1;
    if (EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_AEAD_SET_TAG, cipher->tag_length, (void *)tag) != 1)
        return 0;
    return EVP_DecryptFinal_ex(context, output + length, &count) == 1;
}

int conform_cipher_decrypt_blocks(
    conform_cipher *cipher, const uint8_t *iv, const uint8_t *input, size_t length,
    uint8_t *output) {
    int count = 0;
    if (length > INT_MAX) return 0;
    if (EVP_DecryptInit_ex(cipher->context, NULL, NULL, NULL, iv) != 1) return 0;
    return EVP_DecryptUpdate(cipher->context, output, &count, input, (int)length) == 1
        && (size_t)count == length;
}

static int derive(const char *name, OSSL_PARAM *parameters, uint8_t *output, size_t length) {
    EVP_KDF *kdf = EVP_KDF_fetch(NULL, name, NULL);
    EVP_KDF_CTX *context = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
    int result = context != NULL && EVP_KDF_derive(context, output, length, parameters) == 1;
    EVP_KDF_CTX_free(context);
    EVP_KDF_free(kdf);
    return result;
}

int conform_hkdf_expand(
    const char *digest, const uint8_t *secret, size_t secret_length, const uint8_t *info,
    size_t info_length, uint8_t *output, size_t length) {
    int mode = EVP_KDF_HKDF_MODE_EXPAND_ONLY;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_int(OSSL_KDF_PARAM_MODE, &mode),
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)secret, secret_length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_length),
        OSSL_PARAM_construct_end()};
    return derive(OSSL_KDF_NAME_HKDF, parameters, output, length);
}

int conform_tls_prf(
    const char *digest, const uint8_t *secret, size_t secret_length, const uint8_t *seed,
    size_t seed_length, uint8_t *output, size_t length) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)digest, 0),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SECRET, (void *)secret, secret_length),
        OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SEED, (void *)seed, seed_length),
        OSSL_PARAM_construct_end()};
    return derive(OSSL_KDF_NAME_TLS1_PRF, parameters, output, length);
}

size_t conform_hmac(
    const char *digest, const uint8_t *key, size_t key_length, const uint8_t *input,
    size_t length, uint8_t *output) {
    size_t result = 0;
    if (EVP_Q_mac(
            NULL, "HMAC", NULL, digest, NULL, key, key_length, input, length, output, 64, &result)
        == NULL)
        return 0;
    return result;
}

int conform_equal(const uint8_t *left, const uint8_t *right, size_t length) {
    return CRYPTO_memcmp(left, right, length) == 0;
}

static void put_name(BIO *texts, const X509_NAME *name) {
    X509_NAME_print_ex(texts, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
    BIO_write(texts, "", 1);
}

static void put_time(BIO *texts, const ASN1_TIME *time) {
    struct tm parts;
    if (ASN1_TIME_to_tm(time, &parts) == 1)
        BIO_printf(
            texts, "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900, parts.tm_mon + 1,
            parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    BIO_write(texts, "", 1);
}

static void put_alternative(BIO *texts, const GENERAL_NAME *name) {
    const unsigned long flags = ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_ESC_MSB;
    int kind = 0;
    void *value = GENERAL_NAME_get0_value(name, &kind);
    if (kind == GEN_DNS || kind == GEN_URI || kind == GEN_EMAIL) {
        BIO_puts(texts, kind == GEN_DNS ? "DNS:" : kind == GEN_URI ? "URI:" : "email:");
        ASN1_STRING_print_ex(texts, value, flags);
    } else if (kind == GEN_IPADD) {
        const uint8_t *bytes = ASN1_STRING_get0_data(value);
        int length = ASN1_STRING_length(value);
        BIO_puts(texts, "IP:");
        if (length == 4) {
            BIO_printf(texts, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
        } else {
            for (int index = 0; index + 1 < length; index += 2)
                BIO_printf(
                    texts, "%s%x", index == 0 ? "" : ":", bytes[index] << 8 | bytes[index + 1]);
        }
    } else {
        return;
    }
    BIO_write(texts, "", 1);
}

char *conform_certificate_texts(const uint8_t *der, size_t length, size_t *text_length) {
    const uint8_t *place = der;
    if (length > LONG_MAX) return NULL;
    X509 *certificate = d2i_X509(NULL, &place, (long)length);
    BIO *texts = BIO_new(BIO_s_mem());
    char *result = NULL;
    if (certificate != NULL && texts != NULL && place == der + length) {
        put_name(texts, X509_get_subject_name(certificate));
        put_name(texts, X509_get_issuer_name(certificate));
        i2a_ASN1_INTEGER(texts, X509_get0_serialNumber(certificate));
        BIO_write(texts, "", 1);
        put_time(texts, X509_get0_notBefore(certificate));
        put_time(texts, X509_get0_notAfter(certificate));
        GENERAL_NAMES *names =
            X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
        for (int index = 0; index < sk_GENERAL_NAME_num(names); index++)
            put_alternative(texts, sk_GENERAL_NAME_value(names, index));
        GENERAL_NAMES_free(names);
        char *bytes = NULL;
        long count = BIO_get_mem_data(texts, &bytes);
        if (count > 0 && (result = malloc((size_t)count)) != NULL) {
            memcpy(result, bytes, (size_t)count);
            *text_length = (size_t)count;
        }
    }
    BIO_free(texts);
    X509_free(certificate);
    return result;
}
