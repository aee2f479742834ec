const documentDialectSettings = {
  SERVICE_ACCOUNT_HEADER: 'Service-Account-Id',
  SERVICE_ACCOUNT_PREFIX: 'acct_',
  SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/capability_requests',
  SERVICE_SIGNED_CONSENT: 'signed_agreement',
}

/** A dialect is a variant of the API that the sandbox can imitate. */
export const dialectSettings = {
  document: documentDialectSettings,
  provider: {
    SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
    // Empty, because this dialect's ids are bare UUIDs without a prefix.
    SERVICE_ACCOUNT_PREFIX: '',
    SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/{account_id}/capability_requests',
    SERVICE_SIGNED_CONSENT: 'signed',
  },
  // This dialect returns responses with unusual values, but expects the same requests as
  // `document`.
  odd: documentDialectSettings,
}
