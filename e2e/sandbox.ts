import { expect } from '@playwright/test'

/** Returns the data folder of the desk and sandbox for browser tests. It is in memory if the run has room for it. */
export const dataFolderFor = (dialect: string): string => `${process.env.TEST_STORES ?? 'test-results'}/data-${dialect}`

export const metricsToken = 'a-token-for-metrics-of-the-browser-tests'

/**
 * A charge or a payout that only one test uses. `account` has the form that URLs use. A search for `externalId` finds the payment in its
 * list.
 */
export type MadePayment = {
  kind: 'charge' | 'payout'
  id: string
  account: string
  externalId: string
  customer: string
  paykey: string
}

type CreatedPayment = {
  id: string
  account_id: string
  external_id: string
  status: string
  customer_details: { id: string; name: string }
  paykey_details: { id: string }
}

type JournalRow = { operation: string; target_id: string; idempotency_key: string; file_sha256: string | null }
type RequestRow = {
  seq: number
  method: string
  path: string
  status: number | null
  idempotency_key: string | null
  body_sha256: string | null
}
/** A fault for requests that contain `match`, such as an object id. It therefore does not affect other tests. */
type Fault = { operation: string; match: string; kind: string; count?: number | null; [more: string]: unknown }
type PaymentOverrides = {
  status?: string
  amount?: number
  message?: string
  paykey_status?: string
  /** Uses this paykey instead of a new one. */
  paykey_id?: string
  reason?: string
  source?: string
  payment_date?: string
  account_id?: string
  sandbox_outcome?: string
  customer_id?: string
  balance_check?: string
  balance?: number | null
  /** A settled charge that is in no funding event yet. */
  awaits_funding?: boolean
}

export type Sandbox = ReturnType<typeof createSandboxControl>

/** Reads a list from the desk as its pages do. `path` is the path of the list, `query` its filters. */
export type ReadDeskList = (path: string, query: string) => Promise<{ id: string; status: string }[]>

/** Returns functions that control the sandbox behind the desk, for one test. */
export function createSandboxControl(url: string, readDeskList: ReadDeskList) {
  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${url}/sandbox${path}`, { method, ...init })
    if (!response.ok) throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const faultIds = new Set<string>()
  const requests = async (since = 0) => (await control<{ data: RequestRow[] }>('GET', `/requests?since=${since}`)).data

  /** Waits until the mirror of the desk contains an object in this state. */
  const waitForObject = (path: string, query: string, { id, status }: { id: string; status?: string | undefined }) =>
    expect
      .poll(async () => (await readDeskList(path, query)).some((row) => row.id === id && row.status === (status ?? row.status)), {
        message: `the desk knows ${path} ${id}`,
        intervals: [20, 50, 100],
      })
      .toBe(true)

  async function makePayment(kind: MadePayment['kind'], overrides: PaymentOverrides): Promise<MadePayment> {
    const payment = await control<CreatedPayment>('POST', `/objects/${kind}s`, { announced: true, ...overrides })
    await waitForObject('/payments', `payment_id=${payment.id}`, payment)
    const paykey = { id: payment.paykey_details.id, status: overrides.paykey_status }
    await waitForObject('/paykeys', `customer_id=${payment.customer_details.id}&page_size=1000`, paykey)
    return {
      kind,
      id: payment.id,
      account: `acct_${payment.account_id}`,
      externalId: payment.external_id,
      customer: payment.customer_details.name,
      paykey: payment.paykey_details.id,
    }
  }

  return {
    dialect: async () => (await control<{ name: string }>('GET', '/dialect')).name,
    makePayout: (overrides: PaymentOverrides = {}) => makePayment('payout', overrides),
    makeCharge: (overrides: PaymentOverrides = {}) => makePayment('charge', overrides),
    fault: async (fault: Fault): Promise<void> => {
      faultIds.add((await control<{ id: string }>('POST', '/faults', fault)).id)
    },
    clearFaults: async (): Promise<void> => {
      for (const id of faultIds) await control('DELETE', `/faults/${id}`)
      faultIds.clear()
    },
    /** Returns the writes to an object, oldest first. */
    journal: async (id: string) => (await control<{ data: JournalRow[] }>('GET', `/journal?target=${id}`)).data,
    writes: async (id: string) => (await requests()).filter((row) => row.method !== 'GET' && row.path.includes(id)),
  }
}
