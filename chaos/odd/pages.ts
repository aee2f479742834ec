import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
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
  newPath,
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
import { customerBody } from '@/tests/harness/objects'
import { deliver, eventOf, payoutTold } from '@/tests/harness/webhook'
import type { OddDesk, Thing } from './odd-desk'

const environment = 'sandbox'

/** Returns the folders of all pages. Omits the not-found page, which has no URL of its own. */
export const pagesThereAre = (): string[] =>
  readdirSync('app/[environment]/(desk)', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('/page.tsx') && !path.startsWith('[...rest]'))
    .map((path) => path.slice(0, -'/page.tsx'.length))

/**
 * Returns the ids of up to 25 objects of a resource, in `account` if given. The sandbox must use the normal dialect. `account` has the form
 * that URLs use.
 */
async function someOf(desk: OddDesk, resource: string, query: string, account?: string): Promise<string[]> {
  const found = await desk.service<Thing[]>('GET', `/${resource}?page_size=25${query}`, undefined, account)
  if (found.length === 0) throw new Error(`the sandbox has no ${resource}${query}`)
  return found.map(({ id }) => id)
}

async function aDeletion({ admin, service }: OddDesk, account: string): Promise<string> {
  const customer = await service('POST', '/customers', customerBody(), account)
  const id = randomUUID()
  const request = {
    id,
    account,
    customer_id: customer.id,
    asker: 'RETENTION_END',
    basis: 'RETENTION_POLICY',
    identity_check: 'NOT_NEEDED',
  }
  const headers = { 'content-type': 'application/json' }
  const { status } = await admin.post('/api/sandbox/desk/deletions', { headers, body: JSON.stringify(request) })
  if (status !== 201) throw new Error(`the deletion could not be asked for: ${status}`)
  return id
}

/** Creates a release that waits for a second person's approval. Returns the id of its action. */
async function aRequest({ admin, control }: OddDesk, account: string): Promise<string> {
  const payout = await control<Thing>('POST', '/objects/payouts', { account_id: account.replace('acct_', ''), amount: 600_000 })
  const { status, body } = await admin.decide('release', { id: payout.id, account })
  if (!body.action) throw new Error(`the release could not be asked for: ${status}`)
  return body.action.id
}

async function aPerson({ admin }: OddDesk): Promise<string> {
  const { status, body } = await admin.get<Thing[]>('/api/sandbox/desk/people')
  if (!body.data?.[0]) throw new Error(`nobody was told of: ${status}`)
  return body.data[0].id
}

async function aWebhook({ dashboard, webhookSecret: secret }: OddDesk, account: string): Promise<string> {
  const id = `msg_${randomUUID()}`
  const body = eventOf('payout.event.v1', payoutTold(), account.replace('acct_', ''))
  const { status } = await deliver({ desk: dashboard.url, secret, body, id })
  if (status !== 204) throw new Error(`the webhook was not taken in: ${status}`)
  return id
}

type Objects = Readonly<Record<string, readonly string[]>>

/** Returns the ids of objects for the pages, by resource. The sandbox must use the normal dialect. */
export async function findObjects(desk: OddDesk, account: string): Promise<Objects> {
  const some = (resource: string, query = '') => someOf(desk, resource, query, account)
  const ofPlatform = (resource: string) => someOf(desk, resource, '')
  return {
    charges: await some('payments', '&payment_type=charge'),
    payouts: await some('payments', '&payment_type=payout'),
    paykeys: await some('paykeys'),
    customers: await some('customers'),
    verified: await some('customers', '&status=verified'),
    funding_events: await some('funding_events'),
    accounts: await ofPlatform('accounts'),
    organizations: await ofPlatform('organizations'),
    representatives: await ofPlatform('representatives'),
    linked_bank_accounts: await ofPlatform('linked_bank_accounts'),
    deletions: [await aDeletion(desk, account)],
    webhooks: [await aWebhook(desk, account)],
    approvals: [await aRequest(desk, account)],
    people: [await aPerson(desk)],
  }
}

/** Returns the URL of every page, by the page's folder. The seed selects the objects. */
export function pagesOf(objects: Objects, account: string, seed: number): Readonly<Record<string, string>> {
  const scope = { account }
  const one = (of: string): string => objects[of]?.[seed % (objects[of]?.length || 1)] ?? ''
  const list = (resource: RecordResource | 'payments') => listPath(environment, resource)
  const record = (resource: RecordResource, search?: { account: string }) => recordPath(environment, resource, one(resource), search)
  const edit = (resource: RecordResource) => editPath(environment, resource, one(resource))
  const create = (resource: RecordResource) => newPath(environment, resource, scope)
  return {
    home: homePath(environment),
    approvals: approvalsPath(environment),
    'approvals/[id]': approvalPath(environment, one('approvals')),
    payouts: list('payouts'),
    'payouts/[id]': record('payouts', scope),
    'payouts/new': create('payouts'),
    charges: list('charges'),
    'charges/[id]': record('charges', scope),
    'charges/new': create('charges'),
    payments: list('payments'),
    paykeys: list('paykeys'),
    'paykeys/[id]': record('paykeys', scope),
    connect: connectPath(environment, { ...scope, customer: one('verified') }),
    customers: list('customers'),
    'customers/[id]': record('customers', scope),
    'customers/[id]/edit': editPath(environment, 'customers', one('verified'), scope),
    'customers/[id]/delete': deleteCustomerPath(environment, one('customers'), scope),
    'customers/new': create('customers'),
    deletions: deletionsPath(environment),
    'deletions/[id]': deletionPath(environment, one('deletions')),
    accounts: list('accounts'),
    'accounts/[id]': record('accounts'),
    'accounts/[id]/edit': edit('accounts'),
    'accounts/[id]/limits': deskPath(environment, `/accounts/${one('accounts')}/limits`),
    'accounts/new': newPath(environment, 'accounts'),
    limits: deskPath(environment, '/limits'),
    organizations: list('organizations'),
    'organizations/[id]': record('organizations'),
    'organizations/new': newPath(environment, 'organizations'),
    representatives: list('representatives'),
    'representatives/[id]': record('representatives'),
    'representatives/[id]/edit': edit('representatives'),
    'representatives/new': create('representatives'),
    'linked-bank-accounts': list('linked_bank_accounts'),
    'linked-bank-accounts/[id]': record('linked_bank_accounts'),
    'linked-bank-accounts/[id]/edit': edit('linked_bank_accounts'),
    'linked-bank-accounts/new': create('linked_bank_accounts'),
    'funding-events': list('funding_events'),
    'funding-events/[id]': record('funding_events', scope),
    'funding-events/simulate': deskPath(environment, '/funding-events/simulate', scope),
    activity: deskPath(environment, '/activity'),
    webhooks: listPath(environment, 'webhooks'),
    'webhooks/[id]': webhookPath(environment, one('webhooks')),
    people: peoplePath(environment),
    'people/[id]': personPath(environment, one('people')),
    policies: policiesPath(environment),
    audit: auditPath(environment),
    'audit/[seq]': auditRowPath(environment, 1),
    profile: profilePath(environment),
    'profile/notifications': notificationsPath(environment),
    settings: settingsPath(environment),
  }
}

const textOf = (html: string): string => html.replace(/<[^>]*>/g, '').trim()

/** Returns the faults of a rendered page, as texts. Empty if the page has no fault. */
export function faultsOf(status: number, html: string): string[] {
  const headings = [...html.matchAll(/<h1\b[^>]*>([\s\S]*?)<\/h1>/g)].map(([, inner]) => textOf(inner ?? ''))
  const failures: [string, boolean][] = [
    [`answered ${status}`, status !== 200],
    ['has no heading', !headings.some((heading) => heading !== '')],
    ['shows the error boundary', headings.some((heading) => /could not be shown|could not show/.test(heading))],
    // React marks a part that failed on the server with this attribute. A part that renders only in the browser has it with the excepted
    // value.
    ['failed in part', /data-dgst="(?!BAILOUT_TO_CLIENT_SIDE_RENDERING")/.test(html)],
    // Texts that a page shows if it could not read its main data.
    ['could not read an answer', html.includes('The answer could not be read')],
    ['was told of a failure on our side', html.includes('Something went wrong on our side')],
  ]
  return failures.flatMap(([words, isSo]) => (isSo ? [words] : []))
}
