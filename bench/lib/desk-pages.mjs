const toAccountParam = ({ account_id }) => (account_id ? `?account=acct_${account_id}` : '')

/** The paths (below `/sandbox`) of the pages with lists, by the name in the report. */
export const listPagePaths = {
  home: '/home',
  payouts: '/payouts',
  'payouts, all': '/payouts?tab=all&size=50',
  charges: '/charges?tab=all&size=50',
  payments: '/payments?tab=all&size=50',
  paykeys: '/paykeys?tab=all&size=50',
  customers: '/customers?tab=all&size=50',
  accounts: '/accounts',
  organizations: '/organizations',
  representatives: '/representatives',
  'linked bank accounts': '/linked-bank-accounts',
  'funding events': '/funding-events?tab=all&size=50',
  limits: '/limits',
  deletions: '/deletions',
  activity: '/activity?tab=requests',
}

const sampleRecordQueries = {
  payout: ['payouts', '/v1/payments?payment_type=payout&payment_status=on_hold&page_size=1'],
  charge: ['charges', '/v1/payments?payment_type=charge&page_size=1'],
  paykey: ['paykeys', '/v1/paykeys?status=review&page_size=1'],
  customer: ['customers', '/v1/customers?status=review&page_size=1'],
  account: ['accounts', '/v1/accounts?status=active&page_size=1'],
  organization: ['organizations', '/v1/organizations?page_size=1'],
  representative: ['representatives', '/v1/representatives?page_size=1'],
  'linked bank account': ['linked-bank-accounts', '/v1/linked_bank_accounts?page_size=1'],
  'funding event': ['funding-events', '/v1/funding_events?page_size=1'],
}

/**
 * Returns the path (below `/sandbox`) of one record page of each kind. Each shows an object that
 * the sandbox has.
 */
export async function findRecordPagePaths(sandbox) {
  const pageEntryPromises = Object.entries(sampleRecordQueries).map(
    async ([name, [path, search]]) => {
      const [one] = (await sandbox.ask(search)).data
      if (!one) throw new Error(`the sandbox has no ${name}`)
      return [name, `/${path}/${one.id}${toAccountParam(one)}`]
    },
  )
  const recordPagePaths = Object.fromEntries(await Promise.all(pageEntryPromises))
  return {
    ...recordPagePaths,
    'limits of an account': recordPagePaths.account.replace(/(\?|$)/, '/limits$1'),
  }
}
