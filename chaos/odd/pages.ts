import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
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
import { buildCustomerBody } from '@/tests/harness/objects'
import { buildWebhookEvent, buildWebhookPayout, deliverWebhook } from '@/tests/harness/webhook'
import type { OddServiceDesk, ServiceObject } from './odd-desk'

const environment = 'sandbox'

/** Omits the page for unknown paths, which has no URL of its own. */
export const findPageFolders = (): string[] =>
  readdirSync('app/[environment]/(desk)', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/page.tsx') && !path.startsWith('[...rest]'))
    .map((path) => path.slice(0, -'/page.tsx'.length))

/**
 * Returns at most 25 ids. `account` is `acct_…`. The sandbox must send the documented format
 * (dialect `document`), because odd responses may have no readable ids.
 */
async function listObjectIds(
  desk: OddServiceDesk,
  resource: string,
  query: string,
  account?: string,
): Promise<string[]> {
  const foundObjects = await desk.service<ServiceObject[]>(
    'GET',
    `/${resource}?page_size=25${query}`,
    undefined,
    account,
  )
  if (foundObjects.length === 0) throw new Error(`the sandbox has no ${resource}${query}`)
  return foundObjects.map(({ id }) => id)
}

async function createDeletionRequest(
  { admin, service }: OddServiceDesk,
  account: string,
): Promise<string> {
  const customer = await service('POST', '/customers', buildCustomerBody(), account)
  const id = randomUUID()
  const deletionRequest = {
    id,
    account,
    customer_id: customer.id,
    asker: 'RETENTION_END',
    basis: 'RETENTION_POLICY',
    identity_check: 'NOT_NEEDED',
  }
  const headers = { 'content-type': 'application/json' }
  const { status } = await admin.post('/api/sandbox/desk/deletions', {
    headers,
    body: JSON.stringify(deletionRequest),
  })
  if (status !== 201) throw new Error(`the deletion could not be asked for: ${status}`)
  return id
}

/** The payout is large enough to need a second person's approval. Returns the action's id. */
async function createApprovalRequest(
  { admin, control }: OddServiceDesk,
  account: string,
): Promise<string> {
  const payout = await control<ServiceObject>('POST', '/objects/payouts', {
    account_id: account.replace('acct_', ''),
    amount: 600_000,
  })
  const { status, body } = await admin.decide('release', { id: payout.id, account })
  if (!body.action) throw new Error(`the release could not be asked for: ${status}`)
  return body.action.id
}

async function findPersonId({ admin }: OddServiceDesk): Promise<string> {
  const { status, body } = await admin.get<ServiceObject[]>('/api/sandbox/desk/people')
  if (!body.data?.[0]) throw new Error(`nobody was told of: ${status}`)
  return body.data[0].id
}

async function deliverPayoutWebhook(
  { dashboard, webhookSecret: secret }: OddServiceDesk,
  account: string,
): Promise<string> {
  const id = `msg_${randomUUID()}`
  const body = buildWebhookEvent(
    'payout.event.v1',
    buildWebhookPayout(),
    account.replace('acct_', ''),
  )
  const { status } = await deliverWebhook({ desk: dashboard.url, secret, body, id })
  if (status !== 204) throw new Error(`the webhook was not taken in: ${status}`)
  return id
}

type IdsByResource = Readonly<Record<string, readonly string[]>>

/**
 * The sandbox must send the documented format (dialect `document`), because odd responses may have
 * no readable ids.
 */
export async function findObjectIds(desk: OddServiceDesk, account: string): Promise<IdsByResource> {
  const listAccountIds = (resource: string, query = '') =>
    listObjectIds(desk, resource, query, account)
  const listPlatformIds = (resource: string) => listObjectIds(desk, resource, '')
  return {
    charges: await listAccountIds('payments', '&payment_type=charge'),
    payouts: await listAccountIds('payments', '&payment_type=payout'),
    paykeys: await listAccountIds('paykeys'),
    customers: await listAccountIds('customers'),
    verified: await listAccountIds('customers', '&status=verified'),
    funding_events: await listAccountIds('funding_events'),
    accounts: await listPlatformIds('accounts'),
    organizations: await listPlatformIds('organizations'),
    representatives: await listPlatformIds('representatives'),
    linked_bank_accounts: await listPlatformIds('linked_bank_accounts'),
    deletions: [await createDeletionRequest(desk, account)],
    webhooks: [await deliverPayoutWebhook(desk, account)],
    approvals: [await createApprovalRequest(desk, account)],
    people: [await findPersonId(desk)],
  }
}

const createIdPicker =
  (objects: IdsByResource, seed: number) =>
  (resource: string): string =>
    objects[resource]?.[seed % (objects[resource]?.length || 1)] ?? ''

/** Returns the URL of each page, by its folder. The seed determines which object a page shows. */
export function buildPageUrls(
  objects: IdsByResource,
  account: string,
  seed: number,
): Readonly<Record<string, string>> {
  const scope = { account }
  const pickId = createIdPicker(objects, seed)
  const buildListUrl = (resource: RecordResource | 'payments') => listPath(environment, resource)
  const buildRecordUrl = (resource: RecordResource, search?: { account: string }) =>
    recordPath(environment, resource, pickId(resource), search)
  const buildEditUrl = (resource: RecordResource) =>
    editRecordPath(environment, resource, pickId(resource))
  const buildCreateUrl = (resource: RecordResource) => newRecordPath(environment, resource, scope)
  return {
    home: homePath(environment),
    approvals: approvalsPath(environment),
    'approvals/[id]': approvalPath(environment, pickId('approvals')),
    payouts: buildListUrl('payouts'),
    'payouts/[id]': buildRecordUrl('payouts', scope),
    'payouts/new': buildCreateUrl('payouts'),
    charges: buildListUrl('charges'),
    'charges/[id]': buildRecordUrl('charges', scope),
    'charges/new': buildCreateUrl('charges'),
    payments: buildListUrl('payments'),
    paykeys: buildListUrl('paykeys'),
    'paykeys/[id]': buildRecordUrl('paykeys', scope),
    connect: connectBankAccountPath(environment, { ...scope, customer: pickId('verified') }),
    customers: buildListUrl('customers'),
    'customers/[id]': buildRecordUrl('customers', scope),
    'customers/[id]/edit': editRecordPath(environment, 'customers', pickId('verified'), scope),
    'customers/[id]/delete': deleteCustomerPath(environment, pickId('customers'), scope),
    'customers/new': buildCreateUrl('customers'),
    deletions: deletionsPath(environment),
    'deletions/[id]': deletionPath(environment, pickId('deletions')),
    accounts: buildListUrl('accounts'),
    'accounts/[id]': buildRecordUrl('accounts'),
    'accounts/[id]/edit': buildEditUrl('accounts'),
    'accounts/[id]/limits': deskPath(environment, `/accounts/${pickId('accounts')}/limits`),
    'accounts/new': newRecordPath(environment, 'accounts'),
    limits: deskPath(environment, '/limits'),
    organizations: buildListUrl('organizations'),
    'organizations/[id]': buildRecordUrl('organizations'),
    'organizations/new': newRecordPath(environment, 'organizations'),
    representatives: buildListUrl('representatives'),
    'representatives/[id]': buildRecordUrl('representatives'),
    'representatives/[id]/edit': buildEditUrl('representatives'),
    'representatives/new': buildCreateUrl('representatives'),
    'linked-bank-accounts': buildListUrl('linked_bank_accounts'),
    'linked-bank-accounts/[id]': buildRecordUrl('linked_bank_accounts'),
    'linked-bank-accounts/[id]/edit': buildEditUrl('linked_bank_accounts'),
    'linked-bank-accounts/new': buildCreateUrl('linked_bank_accounts'),
    'funding-events': buildListUrl('funding_events'),
    'funding-events/[id]': buildRecordUrl('funding_events', scope),
    'funding-events/simulate': deskPath(environment, '/funding-events/simulate', scope),
    activity: deskPath(environment, '/activity'),
    webhooks: listPath(environment, 'webhooks'),
    'webhooks/[id]': webhookPath(environment, pickId('webhooks')),
    people: peoplePath(environment),
    'people/[id]': personPath(environment, pickId('people')),
    policies: policiesPath(environment),
    audit: auditPath(environment),
    'audit/[seq]': auditRowPath(environment, 1),
    profile: profilePath(environment),
    'profile/notifications': notificationsPath(environment),
    settings: settingsPath(environment),
  }
}

const stripTags = (html: string): string => html.replace(/<[^>]*>/g, '').trim()

export function findPageFaults(status: number, html: string): string[] {
  const headings = [...html.matchAll(/<h1\b[^>]*>([\s\S]*?)<\/h1>/g)].map(([, inner]) =>
    stripTags(inner ?? ''),
  )
  const possibleFaults: [string, boolean][] = [
    [`answered ${status}`, status !== 200],
    ['has no heading', !headings.some((heading) => heading !== '')],
    [
      'shows the error boundary',
      headings.some((heading) => /could not be shown|could not show/.test(heading)),
    ],
    // React marks a part that failed on the server with the attribute `data-dgst`. The value
    // `BAILOUT_TO_CLIENT_SIDE_RENDERING` is no failure: that part renders only in the browser.
    ['failed in part', /data-dgst="(?!BAILOUT_TO_CLIENT_SIDE_RENDERING")/.test(html)],
    // Both texts appear if a page could not read its main data.
    ['could not read an answer', html.includes('The answer could not be read')],
    ['was told of a failure on our side', html.includes('Something went wrong on our side')],
  ]
  return possibleFaults.flatMap(([words, isSo]) => (isSo ? [words] : []))
}
