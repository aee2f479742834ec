import { expect, test } from 'vitest'
import { ExchangeError, toFault, unsentFaults } from './faults'

const createError = (code: string) => Object.assign(new Error('some text'), { code })

test.each([
  ['CERT_HAS_EXPIRED', 'certificate_not_trusted'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate_not_trusted'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate_not_trusted'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate_not_trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate_not_trusted'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
  ['EPROTO', 'tls_failed'],
  ['ENOTFOUND', 'name_not_found'],
  ['ECONNREFUSED', 'connect_refused'],
  ['SOMETHING_ELSE', 'not_begun'],
])('%s before the first byte is %s and counts as never sent', (code, fault) => {
  expect(toFault(new ExchangeError(false, createError(code)))).toBe(fault)
  expect(unsentFaults.has(fault)).toBe(true)
})

test.each(['CERT_HAS_EXPIRED', 'ECONNREFUSED', 'EPROTO'])(
  '%s after data may have been sent counts as a cut connection',
  (code) => {
    expect(toFault(new ExchangeError(true, createError(code)))).toBe('line_cut')
  },
)
