/** A payout nobody else touches; `account` as a URL names it, `externalId` finds it in the list. */
export type MadePayout = { id: string; account: string; externalId: string; customer: string }

type JournalRow = { operation: string; target_id: string; idempotency_key: string; file_sha256: string | null }
type RequestRow = {
  seq: number
  method: string
  path: string
  status: number | null
  idempotency_key: string | null
  body_sha256: string | null
}
type Fault = { operation: string; kind: string; count?: number | null; [more: string]: unknown }
type Wish = {
  status?: string
  amount?: number
  message?: string
  paykey_status?: string
  /** On a paykey that is there, instead of one of its own. */
  paykey_id?: string
  reason?: string
  source?: string
  payment_date?: string
  account_id?: string
}

export type Sandbox = ReturnType<typeof sandboxAt>

/** The control plane of the sandbox the desk under test talks to. */
export function sandboxAt(url: string) {
  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(`${url}/sandbox${path}`, { method, ...init })
    if (!response.ok) throw new Error(`control ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const requests = async (since = 0) => (await control<{ data: RequestRow[] }>('GET', `/requests?since=${since}`)).data

  return {
    makePayout: async (wish: Wish = {}): Promise<MadePayout> => {
      const made = await control<{ id: string; account_id: string; external_id: string; customer_details: { name: string } }>(
        'POST',
        '/objects/payouts',
        wish,
      )
      return { id: made.id, account: `acct_${made.account_id}`, externalId: made.external_id, customer: made.customer_details.name }
    },
    fault: (fault: Fault) => control<{ id: string }>('POST', '/faults', fault),
    clearFaults: () => control('DELETE', '/faults'),
    /** What was done to an object, oldest first. */
    journal: async (id: string) => (await control<{ data: JournalRow[] }>('GET', `/journal?target=${id}`)).data,
    /** The writes that arrived for an object. */
    writes: async (id: string) => (await requests()).filter((row) => row.method !== 'GET' && row.path.includes(id)),
  }
}
