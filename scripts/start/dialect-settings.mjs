const document = {
  SERVICE_ACCOUNT_HEADER: 'Service-Account-Id',
  SERVICE_ACCOUNT_PREFIX: 'acct_',
  SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/capability_requests',
  SERVICE_SIGNED_CONSENT: 'signed_agreement',
}

/** The dashboard's settings for a sandbox, by the sandbox's dialect. */
export const dialectSettings = {
  document,
  provider: {
    SERVICE_ACCOUNT_HEADER: 'Provider-Account-Id',
    // Empty: the ids are bare UUIDs.
    SERVICE_ACCOUNT_PREFIX: '',
    SERVICE_CAPABILITY_REQUESTS_PATH: '/v1/accounts/{account_id}/capability_requests',
    SERVICE_SIGNED_CONSENT: 'signed',
  },
  // Only its responses are odd; its requests are those of the document.
  odd: document,
}
