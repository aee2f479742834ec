import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { PageContext } from '@/lib/client/page-context'
import { clearQueries } from '@/lib/client/query/client'
import { decisionReasons } from '@/lib/domain/payment-reasons'
import { organizationSchemas } from '@/lib/operations/organizations.schema'
import { paymentDecision } from '@/lib/operations/payment-input.schema'
import { ActionForm } from './action-form'
import { TextField } from './fields'
import { useActionForm } from './use-action-form'

const payoutId = '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f'
const account = `acct_${payoutId}`
const context: PageContext = {
  ...{
    environment: 'sandbox',
    environments: ['sandbox'],
    scope: null,
    account: null,
    isLimited: false,
    needsAccount: false,
    denied: null,
  },
  ...{
    accounts: [],
    hasAllAccounts: true,
    accountsError: null,
    amountUnit: 'minor',
    integration: 'saas',
    embedded: true,
    sso: null,
  },
  person: {
    ...{ id: 'p', name: 'Omar', email: 'omar@paydesk.test' },
    ...{ roles: ['operator'], platformRoles: ['operator'], allRoles: ['operator'] },
  },
}

type TestResponse = { status: number; body: object } | 'cut'

const buildRefusal = (code: string, items: object[] = []): TestResponse => ({
  status: 409,
  body: { meta: { request_id: 'r' }, error: { code, title: code, detail: code, items } },
})
const appliedResponse: TestResponse = {
  status: 200,
  body: { meta: { request_id: 'r' }, data: { id: payoutId } },
}

let writeHeaders: IncomingHttpHeaders[] = []
let nextWriteResponse: TestResponse = appliedResponse
let server: Server
beforeAll(async () => {
  server = createServer((incoming, response) => {
    const isWrite = incoming.method !== 'GET'
    if (isWrite) writeHeaders.push(incoming.headers)
    if (isWrite && nextWriteResponse === 'cut') return response.destroy()
    const approvalNeeds = incoming.url?.includes('approval') ? { possible: true, second: [] } : []
    const { status, body } =
      isWrite && nextWriteResponse !== 'cut'
        ? nextWriteResponse
        : { status: 200, body: { meta: { request_id: 'r' }, data: approvalNeeds } }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  happyDOM.setURL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
afterAll(() => server.close())
beforeEach(() => {
  writeHeaders = []
  nextWriteResponse = appliedResponse
  openedUrls = []
  clearQueries()
})
afterEach(cleanup)

let openedUrls: string[] = []
const router = { push: (path: string) => openedUrls.push(path) } as never

const wrapInPage = (form: React.ReactNode) => (
  <AppRouterContext value={router}>
    <SearchParamsContext value={new URLSearchParams()}>
      <PageContextProvider context={context}>{form}</PageContextProvider>
    </SearchParamsContext>
  </AppRouterContext>
)

/**
 * A form that decides on a record and is open in its panel. It does not show its outcome itself,
 * because `onOutcome` is set.
 */
function HoldForm({ target = payoutId, snapshot }: { target?: string; snapshot?: string }) {
  const { frame } = useActionForm({
    ...({
      operation: 'payouts.hold',
      target,
      id: payoutId,
      account,
      snapshot,
      reasons: decisionReasons.hold,
    } as const),
    ...{ schema: paymentDecision, values: {}, toInput: () => ({}), onOutcome: () => undefined },
  })
  return <ActionForm {...frame} layout="panel" sentence="Hold it." send="Hold" />
}

/** A form on a page of its own. It creates an object. */
function NewOrganizationForm() {
  const { form, frame } = useActionForm<
    'organizations.create',
    { name: string; external_id: string }
  >({
    ...{
      operation: 'organizations.create',
      target: 'new',
      account: null,
      values: { name: '', external_id: '' },
    },
    ...{
      schema: organizationSchemas['organizations.create'].input,
      toInput: ({ name, external_id }) => ({ name, external_id: external_id || undefined }),
    },
    done: (made) => `/organizations/${made}`,
  })
  return (
    <ActionForm {...frame} layout="page" title="New organization" send="Create">
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="external_id" label="External ID" />
    </ActionForm>
  )
}

const pressButton = (name: string) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))
const typeIntoField = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))
const waitForWrites = (count: number) => waitFor(() => expect(writeHeaders).toHaveLength(count))

async function sendHold(expectedWriteCount: number) {
  await pressButton('Hold')
  await waitForWrites(expectedWriteCount)
  await screen.findByRole('button', { name: 'Hold' })
}

test('a lost response keeps the key, a refusal creates a new one, and the entries stay', async () => {
  render(wrapInPage(<HoldForm target="keys" />))
  await typeIntoField('Reason', 'RISK_SIGNAL')
  nextWriteResponse = 'cut'
  await sendHold(1)
  nextWriteResponse = buildRefusal('service_refused')
  await sendHold(2)
  await sendHold(3)
  const [lost, again, fresh] = writeHeaders.map((headers) => headers['idempotency-key'])
  expect(again).toBe(lost)
  expect(fresh).not.toBe(lost)
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('A risk signal was found.')
})

test('a decision sends the snapshot from its opening until a refusal reports a change', async () => {
  const { rerender } = render(wrapInPage(<HoldForm target="snapshot" snapshot="first" />))
  await typeIntoField('Reason', 'RISK_SIGNAL')
  rerender(wrapInPage(<HoldForm target="snapshot" snapshot="second" />))
  nextWriteResponse = buildRefusal('changed')
  await sendHold(1)
  nextWriteResponse = buildRefusal('service_refused')
  await sendHold(2)
  expect(writeHeaders.map((headers) => headers['snapshot-hash'])).toEqual(['first', 'second'])
})

test('a form that opens again has its earlier entries', async () => {
  const { unmount } = render(wrapInPage(<HoldForm target="reopened" />))
  await typeIntoField('Reason', 'RISK_SIGNAL')
  unmount()
  render(wrapInPage(<HoldForm target="reopened" />))
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toBe('A risk signal was found.')
})

test('a field error of the service appears at its field, which receives the focus', async () => {
  render(wrapInPage(<NewOrganizationForm />))
  await screen.findByRole('button', { name: 'Create' })
  await waitFor(() => expect(screen.queryByText(/Checking for an earlier/)).toBeNull())
  await typeIntoField('Name', 'Pellworm Mills')
  nextWriteResponse = buildRefusal('service_refused', [
    { reference: 'external_id', detail: 'is taken' },
  ])
  await pressButton('Create')
  await waitForWrites(1)
  await screen.findByText('is taken')
  expect(screen.getByText('Dismiss')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('External ID')))
  expect(openedUrls).toEqual([])
  nextWriteResponse = appliedResponse
  await pressButton('Create')
  await waitFor(() => expect(openedUrls).toEqual([`/organizations/${payoutId}`]))
})

test('the button says so if it only requests the write', () => {
  const formProps = { onSend: () => undefined, pending: false, disabledReason: null }
  render(
    wrapInPage(
      <ActionForm {...formProps} layout="inline" send="Release" requestLabel="Request release" />,
    ),
  )
  expect(screen.getByRole('button', { name: 'Request release' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Release' })).toBeNull()
})
