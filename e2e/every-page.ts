import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { toApiRequest } from '@/lib/operations/http'
import type { Input } from '@/lib/operations/registry'
import {
  approvalPath,
  approvalsPath,
  auditPath,
  auditRowPath,
  connectPath,
  deleteCustomerPath,
  deletionPath,
  deletionsPath,
  deskPath,
  editPath,
  homePath,
  listPath,
  newRecordPath,
  notificationsPath,
  peoplePath,
  personPath,
  policiesPath,
  profilePath,
  type RecordResource,
  recordPath,
  settingsPath,
  webhookPath,
} from '@/lib/routes'
import { addRepresentative, linkBankAccount, type MadeAccount, makeAccount } from './accounts'
import { makeCustomer } from './customer'
import { decideThroughApi, listAccounts } from './desk'
import { fetchObjects } from './lookup'
import { emailOf, sendConfirmed } from './person'
import type { Sandbox } from './sandbox'
import { waitForWebhook } from './webhook'

/** Returns the URL of a page. Finds the object to open, or creates it as the person of `page`. */
export type PagePathFinder = (page: Page, sandbox: Sandbox, deskUrl: string) => string | Promise<string>

type OwnedObject = { id: string; account_id: string | null }

const environment = 'sandbox'

/** Returns the account scope of an object as a URL parameter. Empty for objects of the platform. */
const toScopeParam = (one: OwnedObject) => (one.account_id ? { account: `acct_${one.account_id}` } : {})

/** Returns the first object of a resource in the service's list. */
async function findFirst(page: Page, resource: RecordResource, query = ''): Promise<OwnedObject> {
  const [one] = await fetchObjects<OwnedObject>(page, `/${resource}`, query)
  if (!one) throw new Error(`the sandbox has no ${resource}${query && ` with ${query}`}`)
  return one
}

const findListPath = (resource: RecordResource | 'payments') => () => listPath(environment, resource)

const findRecordPath =
  (resource: RecordResource, query?: string): PagePathFinder =>
  async (page) => {
    const foundObject = await findFirst(page, resource, query)
    return recordPath(environment, resource, foundObject.id, toScopeParam(foundObject))
  }

const failedFields = { status: 'failed', reason: 'insufficient_funds', source: 'bank_decline' }

/** Creates a record in a new account, so that no other test changes it during the checks. Returns its path. */
const findOwnRecordPath =
  (resource: RecordResource, make: (page: Page, account: MadeAccount, deskUrl: string) => Promise<unknown>): PagePathFinder =>
  async (page, _sandbox, deskUrl) => {
    const account = await makeAccount(page, deskUrl)
    const { id } = (await make(page, account, deskUrl)) as { id: string }
    return recordPath(environment, resource, id, { account: account.account })
  }

const findEditPath =
  (resource: RecordResource, query?: string): PagePathFinder =>
  async (page) => {
    const one = await findFirst(page, resource, query)
    return editPath(environment, resource, one.id, toScopeParam(one))
  }

/** Returns the path of a create form in the scope of an account. Without an account, the page would first ask for one. */
const findCreatePath =
  (resource: RecordResource): PagePathFinder =>
  async (page) =>
    newRecordPath(environment, resource, { account: (await listAccounts(page))[0]?.id })

async function findDeletionPath(page: Page, _sandbox: Sandbox, deskUrl: string): Promise<string> {
  const customer = await makeCustomer(page, deskUrl)
  const request: Input<'deletions.request'> = {
    id: randomUUID(),
    account: customer.account,
    customer_id: customer.id,
    asker: 'DATA_SUBJECT_REQUEST',
    basis: 'GDPR_17_1_B',
    identity_check: 'SIGNED_IN',
    ticket: 'PRIV-1234',
    due_on: '2099-12-24',
  }
  const { url } = toApiRequest('deletions.request', request, { environment })
  const answer = await sendConfirmed(page.request, deskUrl, (headers) =>
    page.request.post(url, { data: request, headers: { origin: deskUrl, ...headers } }),
  )
  expect(answer.status(), await answer.text()).toBe(201)
  return deletionPath(environment, request.id)
}

/** Creates a customer, and returns the path of the webhook event about it. */
async function findWebhookPath(page: Page, _sandbox: Sandbox, deskUrl: string): Promise<string> {
  const { id } = await makeCustomer(page, deskUrl)
  return webhookPath(environment, (await waitForWebhook(page, `customers/${id}`)).id)
}

/** Creates a release that waits for a second person's approval, and returns the path of its approval page. */
async function findApprovalPath(page: Page, sandbox: Sandbox, deskUrl: string): Promise<string> {
  const answer = await decideThroughApi(page, deskUrl, await sandbox.makePayout({ amount: 600_000 }), 'release')
  const { action } = (await answer.json()) as { action: { id: string } }
  return approvalPath(environment, action.id)
}

/** Records in states with more content than the states in `pathFinders`. */
export const otherRecords: Readonly<Record<string, PagePathFinder>> = {
  'payouts/[id], failed': async (_page, sandbox) => {
    const payout = await sandbox.makePayout(failedFields)
    return recordPath(environment, 'payouts', payout.id, { account: payout.account })
  },
  'charges/[id], failed': async (_page, sandbox) => {
    const newCharge = await sandbox.makeCharge(failedFields)
    return recordPath(environment, 'charges', newCharge.id, { account: newCharge.account })
  },
}

/** Every page of an environment, by its folder, in its most common state. */
export const pathFinders: Readonly<Record<string, PagePathFinder>> = {
  home: () => homePath(environment),
  approvals: () => approvalsPath(environment),
  'approvals/[id]': findApprovalPath,
  payouts: findListPath('payouts'),
  'payouts/[id]': async (_page, sandbox) => {
    const payout = await sandbox.makePayout()
    return recordPath(environment, 'payouts', payout.id, { account: payout.account })
  },
  'payouts/new': findCreatePath('payouts'),
  charges: findListPath('charges'),
  'charges/[id]': async (_page, sandbox) => {
    const newCharge = await sandbox.makeCharge()
    return recordPath(environment, 'charges', newCharge.id, { account: newCharge.account })
  },
  'charges/new': findCreatePath('charges'),
  payments: findListPath('payments'),
  paykeys: findListPath('paykeys'),
  'paykeys/[id]': async (page, sandbox, deskUrl) => {
    // Uses a new customer without other bank accounts: these load late and would move the content below them.
    const customer = await makeCustomer(page, deskUrl)
    const reviewFields = { paykey_status: 'review', reason: 'watchtower_review', source: 'watchtower' }
    const payout = await sandbox.makePayout({ customer_id: customer.id, ...reviewFields })
    return recordPath(environment, 'paykeys', payout.paykey, { account: payout.account })
  },
  connect: async (page) => {
    const customer = await findFirst(page, 'customers', 'status=verified')
    return connectPath(environment, { ...toScopeParam(customer), customer: customer.id })
  },
  customers: findListPath('customers'),
  'customers/[id]': async (page, _sandbox, deskUrl) => {
    const customer = await makeCustomer(page, deskUrl, { outcome: 'review' })
    return recordPath(environment, 'customers', customer.id, { account: customer.account })
  },
  'customers/[id]/edit': findEditPath('customers', 'status=verified'),
  'customers/[id]/delete': async (page) => {
    const customer = await findFirst(page, 'customers')
    return deleteCustomerPath(environment, customer.id, toScopeParam(customer))
  },
  'customers/new': findCreatePath('customers'),
  deletions: () => deletionsPath(environment),
  'deletions/[id]': findDeletionPath,
  accounts: findListPath('accounts'),
  'accounts/[id]': findRecordPath('accounts', 'status=active'),
  'accounts/[id]/edit': findEditPath('accounts', 'status=created'),
  'accounts/[id]/limits': async (page) => {
    const activeAccount = await findFirst(page, 'accounts', 'status=active')
    return deskPath(environment, `/accounts/${activeAccount.id}/limits`)
  },
  'accounts/new': () => newRecordPath(environment, 'accounts'),
  limits: () => deskPath(environment, '/limits'),
  organizations: findListPath('organizations'),
  'organizations/[id]': findRecordPath('organizations'),
  'organizations/new': () => newRecordPath(environment, 'organizations'),
  representatives: findListPath('representatives'),
  'representatives/[id]': findOwnRecordPath('representatives', addRepresentative),
  'representatives/[id]/edit': findEditPath('representatives'),
  'representatives/new': findCreatePath('representatives'),
  'linked-bank-accounts': findListPath('linked_bank_accounts'),
  'linked-bank-accounts/[id]': findOwnRecordPath('linked_bank_accounts', linkBankAccount),
  'linked-bank-accounts/[id]/edit': findEditPath('linked_bank_accounts', 'status=created'),
  'linked-bank-accounts/new': findCreatePath('linked_bank_accounts'),
  'funding-events': findListPath('funding_events'),
  'funding-events/[id]': findRecordPath('funding_events'),
  'funding-events/simulate': async (page) =>
    deskPath(environment, '/funding-events/simulate', { account: (await listAccounts(page))[0]?.id }),
  activity: () => deskPath(environment, '/activity'),
  webhooks: () => listPath(environment, 'webhooks'),
  'webhooks/[id]': findWebhookPath,
  profile: () => profilePath(environment),
  people: () => peoplePath(environment),
  'people/[id]': async (page) => {
    const { url } = toApiRequest('people.list', {}, { environment })
    const { data } = (await (await page.request.get(url)).json()) as { data: { id: string; email: string }[] }
    return personPath(environment, data.find(({ email }) => email === emailOf('viewer'))?.id ?? '')
  },
  'profile/notifications': () => notificationsPath(environment),
  audit: () => auditPath(environment),
  'audit/[seq]': async (page) => {
    const { url } = toApiRequest('audit.read', {}, { environment })
    const { data } = (await (await page.request.get(url)).json()) as { data: { seq: number }[] }
    return auditRowPath(environment, data[0]?.seq ?? 0)
  },
  policies: () => policiesPath(environment),
  settings: () => settingsPath(environment),
}

/** Returns the folders of all pages. Omits the not-found page, which has no URL of its own. */
export const listPageFolders = (): string[] =>
  readdirSync('app/[environment]/(desk)', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/page.tsx') && !path.startsWith('[...rest]'))
    .map((path) => path.slice(0, -'/page.tsx'.length))
