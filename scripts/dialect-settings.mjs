const document = {
  SERVICE_ACCOUNT_HEADER: 'Service-Account-Id',
  SERVICE_ACCOUNT_PREFIX: 'acct_',
  SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/capability_requests',
  SERVICE_SIGNED_CONSENT: 'signed_agreement',
}

/** With which settings a dashboard speaks to a sandbox, by the dialect the sandbox was started in. */
export const dialectSettings = {
  document,
  provider: {
    SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
    // Empty means the bare UUID.
    SERVICE_ACCOUNT_PREFIX: '',
    SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/{account_id}/capability_requests',
    SERVICE_SIGNED_CONSENT: 'signed',
  },
  // Its answers are odd, not what it takes.
  odd: document,
}
