import { expect } from '@playwright/test'

/**
 * Returns the folder for the data of Paydesk and the sandbox. The test runner sets `TEST_STORES` if
 * there is a folder in memory.
 */
export const getDataFolder = (dialect: string): string =>
  `${process.env.TEST_STORES ?? 'test-results'}/data-${dialect}`

export const metricsToken = 'a-token-for-metrics-of-the-browser-tests'

/**
 * A charge or payout that was created for one test. `account` is `acct_` and a UUID, as in URLs. A
 * search for `externalId` finds the payment in its list.
 */
export type MadePayment = {
  kind: 'charge' | 'payout'
  id: string
  account: string
  externalId: string
  customer: string
  paykey: string
}

type CreatedPaymentData = {
  id: string
  account_id: string
  external_id: string
  status: string
  customer_details: { id: string; name: string }
  paykey_details: { id: string }
}

type JournalRow = {
  operation: string
  target_id: string
  idempotency_key: string
  file_sha256: string | null
}
type LoggedRequest = {
  seq: number
  method: string
  path: string
  status: number | null
  idempotency_key: string | null
  body_sha256: string | null
}
/**
 * A fault of the sandbox, such as an error response. Affects only requests that contain `match`,
 * such as an object id of the test.
 */
type InjectedFault = {
  operation: string
  match: string
  kind: string
  count?: number | null
  [more: string]: unknown
}
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
  /** True for a settled charge that waits for the next funding event of its account. */
  awaits_funding?: boolean
}

export type Sandbox = ReturnType<typeof createSandboxControl>

/**
 * Reads a list from the API of Paydesk, as its pages do. `path` is the path of the list in that
 * API, `query` contains its filters.
 */
export type ReadDeskList = (
  path: string,
  query: string,
) => Promise<{ id: string; status: string }[]>

/** Returns functions with which one test controls the sandbox that Paydesk uses. */
export function createSandboxControl(url: string, readDeskList: ReadDeskList) {
  async function callControlApi<T>(method: string, path: string, body?: unknown): Promise<T> {
    const requestInit =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${url}/sandbox${path}`, { method, ...requestInit })
    if (!response.ok)
      throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const faultIds = new Set<string>()
  const listLoggedRequests = async (since = 0) =>
    (await callControlApi<{ data: LoggedRequest[] }>('GET', `/requests?since=${since}`)).data

  /**
   * Waits until the list of Paydesk contains the object with this status; with any status if it is
   * undefined.
   */
  const waitForObject = (
    path: string,
    query: string,
    { id, status }: { id: string; status?: string | undefined },
  ) =>
    expect
      .poll(
        async () =>
          (await readDeskList(path, query)).some(
            (row) => row.id === id && row.status === (status ?? row.status),
          ),
        {
          message: `the desk knows ${path} ${id}`,
          intervals: [20, 50, 100],
        },
      )
      .toBe(true)

  async function makePayment(
    kind: MadePayment['kind'],
    overrides: PaymentOverrides,
  ): Promise<MadePayment> {
    const payment = await callControlApi<CreatedPaymentData>('POST', `/objects/${kind}s`, {
      announced: true,
      ...overrides,
    })
    await waitForObject('/payments', `payment_id=${payment.id}`, payment)
    const paykey = { id: payment.paykey_details.id, status: overrides.paykey_status }
    await waitForObject(
      '/paykeys',
      `customer_id=${payment.customer_details.id}&page_size=1000`,
      paykey,
    )
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
    dialect: async () => (await callControlApi<{ name: string }>('GET', '/dialect')).name,
    makePayout: (overrides: PaymentOverrides = {}) => makePayment('payout', overrides),
    makeCharge: (overrides: PaymentOverrides = {}) => makePayment('charge', overrides),
    fault: async (fault: InjectedFault): Promise<void> => {
      faultIds.add((await callControlApi<{ id: string }>('POST', '/faults', fault)).id)
    },
    clearFaults: async (): Promise<void> => {
      for (const id of faultIds) await callControlApi('DELETE', `/faults/${id}`)
      faultIds.clear()
    },
    /**
     * Returns the changes that the sandbox made to an object, oldest first. `writes` also contains
     * requests that changed nothing.
     */
    journal: async (id: string) =>
      (await callControlApi<{ data: JournalRow[] }>('GET', `/journal?target=${id}`)).data,
    writes: async (id: string) =>
      (await listLoggedRequests()).filter((row) => row.method !== 'GET' && row.path.includes(id)),
  }
}
