import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import { toApiRequestParts } from '@/lib/operations/http'
import type { Input } from '@/lib/operations/registry'
import {
  approvalPath,
  approvalsPath,
  auditPath,
  auditRowPath,
  connectBankAccountPath,
  deleteCustomerPath,
  deletionPath,
  deletionsPath,
  deskPath,
  editRecordPath,
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
import { emailOf, sendConfirmedRequest } from './person'
import type { Sandbox } from './sandbox'
import { waitForWebhook } from './webhook'

/**
 * Returns the path of one page of Paydesk. Finds the object that this page shows, or creates it as
 * the person signed in on `page`.
 */
export type PagePathFinder = (
  page: Page,
  sandbox: Sandbox,
  deskUrl: string,
) => string | Promise<string>

type OwnedObject = { id: string; account_id: string | null }

const environment = 'sandbox'

/**
 * Returns the URL parameter with the account that owns an object; none if the object belongs to the
 * platform itself.
 */
const toScopeParam = (ownedObject: OwnedObject) =>
  ownedObject.account_id ? { account: `acct_${ownedObject.account_id}` } : {}

/** Returns the first object in the service's list of a resource, filtered by `query`. */
async function findFirstObject(
  page: Page,
  resource: RecordResource,
  query = '',
): Promise<OwnedObject> {
  const [firstObject] = await fetchObjects<OwnedObject>(page, `/${resource}`, query)
  if (!firstObject) throw new Error(`the sandbox has no ${resource}${query && ` with ${query}`}`)
  return firstObject
}

const createListPathFinder = (resource: RecordResource | 'payments') => () =>
  listPath(environment, resource)

const createRecordPathFinder =
  (resource: RecordResource, query?: string): PagePathFinder =>
  async (page) => {
    const foundObject = await findFirstObject(page, resource, query)
    return recordPath(environment, resource, foundObject.id, toScopeParam(foundObject))
  }

const failedPaymentFields = {
  status: 'failed',
  reason: 'insufficient_funds',
  source: 'bank_decline',
}

/**
 * Returns a path finder that creates a record in a new account and returns the path of the record's
 * page. In a new account, no other test changes the record during the checks.
 */
const createNewRecordPathFinder =
  (
    resource: RecordResource,
    makeRecord: (page: Page, account: MadeAccount, deskUrl: string) => Promise<unknown>,
  ): PagePathFinder =>
  async (page, _sandbox, deskUrl) => {
    const account = await makeAccount(page, deskUrl)
    const { id } = (await makeRecord(page, account, deskUrl)) as { id: string }
    return recordPath(environment, resource, id, { account: account.account })
  }

const createEditPathFinder =
  (resource: RecordResource, query?: string): PagePathFinder =>
  async (page) => {
    const editedObject = await findFirstObject(page, resource, query)
    return editRecordPath(environment, resource, editedObject.id, toScopeParam(editedObject))
  }

/**
 * Returns a path finder for the form that creates a record in the platform's first account. Without
 * an account in the path, the page would first require the choice of one.
 */
const createNewFormPathFinder =
  (resource: RecordResource): PagePathFinder =>
  async (page) =>
    newRecordPath(environment, resource, { account: (await listAccounts(page))[0]?.id })

async function findDeletionPath(page: Page, _sandbox: Sandbox, deskUrl: string): Promise<string> {
  const customer = await makeCustomer(page, deskUrl)
  const deletionInput: Input<'deletions.request'> = {
    id: randomUUID(),
    account: customer.account,
    customer_id: customer.id,
    asker: 'DATA_SUBJECT_REQUEST',
    basis: 'GDPR_17_1_B',
    identity_check: 'SIGNED_IN',
    ticket: 'PRIV-1234',
    due_on: '2099-12-24',
  }
  const { url } = toApiRequestParts('deletions.request', deletionInput, { environment })
  const decisionResponse = await sendConfirmedRequest(page.request, deskUrl, (headers) =>
    page.request.post(url, { data: deletionInput, headers: { origin: deskUrl, ...headers } }),
  )
  expect(decisionResponse.status(), await decisionResponse.text()).toBe(201)
  return deletionPath(environment, deletionInput.id)
}

/**
 * Creates a customer, and returns the path of the page of the webhook event about this customer.
 */
async function findWebhookPath(page: Page, _sandbox: Sandbox, deskUrl: string): Promise<string> {
  const { id } = await makeCustomer(page, deskUrl)
  return webhookPath(environment, (await waitForWebhook(page, `customers/${id}`)).id)
}

/**
 * Requests a release that requires a second person's approval because of its amount. Returns the
 * path of the approval page.
 */
async function findApprovalPath(page: Page, sandbox: Sandbox, deskUrl: string): Promise<string> {
  const releaseResponse = await decideThroughApi(
    page,
    deskUrl,
    await sandbox.makePayout({ amount: 600_000 }),
    'release',
  )
  const { action } = (await releaseResponse.json()) as { action: { id: string } }
  return approvalPath(environment, action.id)
}

/**
 * Path finders for failed payments. Their pages show more content than those of the payments in
 * `pathFinders`.
 */
export const failedPaymentPathFinders: Readonly<Record<string, PagePathFinder>> = {
  'payouts/[id], failed': async (_page, sandbox) => {
    const payout = await sandbox.makePayout(failedPaymentFields)
    return recordPath(environment, 'payouts', payout.id, { account: payout.account })
  },
  'charges/[id], failed': async (_page, sandbox) => {
    const newCharge = await sandbox.makeCharge(failedPaymentFields)
    return recordPath(environment, 'charges', newCharge.id, { account: newCharge.account })
  },
}

/**
 * The path finder of every page of Paydesk, by the page's folder. Each opens the page in its most
 * common state.
 */
export const pathFinders: Readonly<Record<string, PagePathFinder>> = {
  home: () => homePath(environment),
  approvals: () => approvalsPath(environment),
  'approvals/[id]': findApprovalPath,
  payouts: createListPathFinder('payouts'),
  'payouts/[id]': async (_page, sandbox) => {
    const payout = await sandbox.makePayout()
    return recordPath(environment, 'payouts', payout.id, { account: payout.account })
  },
  'payouts/new': createNewFormPathFinder('payouts'),
  charges: createListPathFinder('charges'),
  'charges/[id]': async (_page, sandbox) => {
    const newCharge = await sandbox.makeCharge()
    return recordPath(environment, 'charges', newCharge.id, { account: newCharge.account })
  },
  'charges/new': createNewFormPathFinder('charges'),
  payments: createListPathFinder('payments'),
  paykeys: createListPathFinder('paykeys'),
  'paykeys/[id]': async (page, sandbox, deskUrl) => {
    // Uses a new customer, who has no other bank accounts: a list of them would load late and move
    // the content below it.
    const customer = await makeCustomer(page, deskUrl)
    const heldForReviewFields = {
      paykey_status: 'review',
      reason: 'watchtower_review',
      source: 'watchtower',
    }
    const payout = await sandbox.makePayout({ customer_id: customer.id, ...heldForReviewFields })
    return recordPath(environment, 'paykeys', payout.paykey, { account: payout.account })
  },
  connect: async (page) => {
    const customer = await findFirstObject(page, 'customers', 'status=verified')
    return connectBankAccountPath(environment, { ...toScopeParam(customer), customer: customer.id })
  },
  customers: createListPathFinder('customers'),
  'customers/[id]': async (page, _sandbox, deskUrl) => {
    const customer = await makeCustomer(page, deskUrl, { outcome: 'review' })
    return recordPath(environment, 'customers', customer.id, { account: customer.account })
  },
  'customers/[id]/edit': createEditPathFinder('customers', 'status=verified'),
  'customers/[id]/delete': async (page) => {
    const customer = await findFirstObject(page, 'customers')
    return deleteCustomerPath(environment, customer.id, toScopeParam(customer))
  },
  'customers/new': createNewFormPathFinder('customers'),
  deletions: () => deletionsPath(environment),
  'deletions/[id]': findDeletionPath,
  accounts: createListPathFinder('accounts'),
  'accounts/[id]': createRecordPathFinder('accounts', 'status=active'),
  'accounts/[id]/edit': createEditPathFinder('accounts', 'status=created'),
  'accounts/[id]/limits': async (page) => {
    const activeAccount = await findFirstObject(page, 'accounts', 'status=active')
    return deskPath(environment, `/accounts/${activeAccount.id}/limits`)
  },
  'accounts/new': () => newRecordPath(environment, 'accounts'),
  limits: () => deskPath(environment, '/limits'),
  organizations: createListPathFinder('organizations'),
  'organizations/[id]': createRecordPathFinder('organizations'),
  'organizations/new': () => newRecordPath(environment, 'organizations'),
  representatives: createListPathFinder('representatives'),
  'representatives/[id]': createNewRecordPathFinder('representatives', addRepresentative),
  'representatives/[id]/edit': createEditPathFinder('representatives'),
  'representatives/new': createNewFormPathFinder('representatives'),
  'linked-bank-accounts': createListPathFinder('linked_bank_accounts'),
  'linked-bank-accounts/[id]': createNewRecordPathFinder('linked_bank_accounts', linkBankAccount),
  'linked-bank-accounts/[id]/edit': createEditPathFinder('linked_bank_accounts', 'status=created'),
  'linked-bank-accounts/new': createNewFormPathFinder('linked_bank_accounts'),
  'funding-events': createListPathFinder('funding_events'),
  'funding-events/[id]': createRecordPathFinder('funding_events'),
  'funding-events/simulate': async (page) =>
    deskPath(environment, '/funding-events/simulate', {
      account: (await listAccounts(page))[0]?.id,
    }),
  activity: () => deskPath(environment, '/activity'),
  webhooks: () => listPath(environment, 'webhooks'),
  'webhooks/[id]': findWebhookPath,
  profile: () => profilePath(environment),
  people: () => peoplePath(environment),
  'people/[id]': async (page) => {
    const { url } = toApiRequestParts('people.list', {}, { environment })
    const { data } = (await (await page.request.get(url)).json()) as {
      data: { id: string; email: string }[]
    }
    return personPath(environment, data.find(({ email }) => email === emailOf('viewer'))?.id ?? '')
  },
  'profile/notifications': () => notificationsPath(environment),
  audit: () => auditPath(environment),
  'audit/[seq]': async (page) => {
    const { url } = toApiRequestParts('audit.read', {}, { environment })
    const { data } = (await (await page.request.get(url)).json()) as { data: { seq: number }[] }
    return auditRowPath(environment, data[0]?.seq ?? 0)
  },
  policies: () => policiesPath(environment),
  settings: () => settingsPath(environment),
}

/** Returns the folders of all pages, except the not-found page, which has no URL of its own. */
export const listPageFolders = (): string[] =>
  readdirSync('app/[environment]/(desk)', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/page.tsx') && !path.startsWith('[...rest]'))
    .map((path) => path.slice(0, -'/page.tsx'.length))
