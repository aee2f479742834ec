/** One request to the service's routes; never contains the API key. */
export type RequestEntry = {
  seq: number
  at: string
  method: string
  path: string
  /** Without values that are tokens or personal data, cut to 1,000 characters. */
  query: string
  request_id: string | null
  correlation_id: string | null
  account_header: string | null
  idempotency_key: string | null
  has_authorization: boolean
  body_sha256: string | null
  body_bytes: number
  status: number | null
  replayed: boolean
  fault: string | null
}

const ringSize = 10_000

/** The last 10,000 requests in memory, in order of arrival, refused ones included. */
export class RequestLog {
  #entries: RequestEntry[] = []
  #seq = 0

  /** Adds a request on arrival; the caller fills in later fields. */
  add(entry: Omit<RequestEntry, 'seq'>): RequestEntry {
    this.#seq += 1
    const numbered = { seq: this.#seq, ...entry }
    this.#entries.push(numbered)
    // Trim by halves, so that the cost of moving entries is spread over thousands of requests.
    if (this.#entries.length >= ringSize * 2) this.#entries = this.#entries.slice(-ringSize)
    return numbered
  }

  /** Returns the requests after `since`, oldest first; `path` limits them to one path. */
  read(since: number, path: string | null): RequestEntry[] {
    return this.#entries.slice(-ringSize).filter((entry) => entry.seq > since && (path === null || entry.path === path))
  }

  /** Clears the log and restarts its numbers at 1. */
  clear(): void {
    this.#entries = []
    this.#seq = 0
  }
}
