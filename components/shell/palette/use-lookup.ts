'use client'

import { type UseQueryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query'
import { usePageContext } from '@/components/kits/layout/page-context'
import type { CallAnswer } from '@/lib/client/call'
import type { PageContext } from '@/lib/client/page-context'
import { read } from '@/lib/client/query/reads'
import { useSettled } from '@/lib/client/use-settled'
import { type Finding, type FoundTrace, unreadMatches } from '@/lib/operations/find'
import { rowsSent, totalOf } from '@/lib/operations/list-count'
import type { Input, Output } from '@/lib/operations/registry'
import { type ReadId, serviceOperation } from '@/lib/operations/service-operations'
import { listPath } from '@/lib/routes'
import { accountHit, customerHit, fundingEventHit, type Hit, linkedBankAccountHit, namedHit, paykeyHit, paymentHits } from './hit'

/** A pasted id, in lower case. A UUID can belong to any record; with the prefix `acct_` it is an account's. */
type FoundId = { id: string; isAccount: boolean }

/** Returns the id in a text, or null. Spaces and quotes around it are ignored, because copying often adds them. */
export function idIn(text: string): FoundId | null {
  const match = /^["'\s]*(acct_)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})["'\s]*$/i.exec(text)
  return match?.[2] ? { id: match[2].toLowerCase(), isAccount: match[1] !== undefined } : null
}

/**
 * A search term. A `key` is one word: an external id, request id, idempotency key or name. `digits` are the last four of a bank account.
 */
type Term = ({ kind: 'id' } & FoundId) | { kind: 'email' | 'digits' | 'key' | 'words'; text: string }

/** Minimum length of a term. A shorter one matches too much to justify its calls under the shared rate limit. */
const shortest = 4

/** Maximum length of a term that every search accepts. */
export const longest = 100

/** Returns the search term in a text; null if it is too short. Spaces and quotes around it are ignored, because copying adds them. */
export function parseTerm(typed: string): Term | null {
  const id = idIn(typed)
  if (id) return { kind: 'id', ...id }
  const text = typed.replace(/^["'\s]+|["'\s]+$/g, '').slice(0, longest)
  if (/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)) return { kind: 'email', text }
  if (/^\d{4}$/.test(text)) return { kind: 'digits', text }
  // An incomplete email address matches no customer, and no other search may receive it.
  if (text.length < shortest || text.includes('@')) return null
  return { kind: /\s/.test(text) ? 'words' : 'key', text }
}

/** True if the term was probably pasted. It is then searched at once; others wait for a pause in typing. */
export const isWhole = ({ kind }: Term): boolean => kind === 'id' || kind === 'digits'

/** The result of one search: records, traces, the total, and what could not be searched. */
type Found = { hits: Hit[]; traces: FoundTrace[]; total: number; unsearched: Finding['unsearched'] }

/**
 * A search: its name (`what`), its query, the function that reads a response (`found`), and the URL of all matches (`all`). `platform` is
 * true if it needs no account.
 */
type Search = { what: string; query: Query; found: Select; all?: string; platform: boolean }

type Scope = Pick<PageContext, 'environment' | 'scope' | 'account' | 'amountUnit' | 'needsAccount'>
type Query = UseQueryOptions<CallAnswer<unknown>>
type Select = (answer: CallAnswer<unknown>) => Found

/** Maximum number of matches of one search. */
const pageSize = 5

function search<K extends ReadId>(
  context: Scope,
  what: string,
  [id, input]: [K, Input<K>],
  hits: (data: Output<K>) => Hit[],
  all?: string,
): Search {
  const found: Select = ({ data, meta }) => {
    const foundHits = hits(data as Output<K>)
    const page = { data: Array.isArray(data) ? data : [data], meta }
    const unsearched = unreadMatches(what, meta.unreadable_rows)
    return { hits: foundHits, traces: [], total: totalOf(page, { size: pageSize }) ?? rowsSent(page) + 1, unsearched }
  }
  return { what, query: read(context, id, input), found, platform: serviceOperation(id).scope === 'forbidden', ...(all ? { all } : {}) }
}

/** Returns Paydesk's own search, which finds traces by exact id and customers by email. */
function ownSearch(context: Scope, what: string, text: string): Search {
  const found: Select = (answer) => {
    const { customers, traces, unsearched } = answer.data as Finding
    return { hits: customers.map(customerHit), traces, total: customers.length, unsearched }
  }
  return { what, query: read(context, 'find.search', { text }), found, platform: what === traceWords }
}

const traceWords = 'Paydesk actions and requests'

function readById(context: Scope, id: string, isAccount: boolean): Search[] {
  const account = search(context, 'accounts', ['accounts.get', { id }], (data) => [accountHit(data)])
  if (isAccount) return [account]
  const payment = (rows: Output<'payments.search'>) => paymentHits(rows, context.amountUnit)
  const inList = listPath(context, 'payments', { payment_id: id })
  return [
    search(context, 'payments', ['payments.search', { payment_id: id, page_size: 1 }], payment, inList),
    search(context, 'customers', ['customers.get', { id }], (data) => [customerHit(data)]),
    search(context, 'paykeys', ['paykeys.get', { id }], (data) => [paykeyHit(data)]),
    account,
    search(context, 'organizations', ['organizations.get', { id }], (data) => [namedHit('organizations', data)]),
    search(context, 'representatives', ['representatives.get', { id }], (data) => [namedHit('representatives', data)]),
    search(context, 'linked bank accounts', ['linked_bank_accounts.get', { id }], (data) => [linkedBankAccountHit(data)]),
    search(context, 'funding events', ['funding_events.get', { id }], (data) => [fundingEventHit(data, context.amountUnit)]),
    ownSearch(context, traceWords, id),
  ]
}

function payments(context: Scope, what: string, by: { external_id: string } | { search_text: string }): Search {
  const hits = (rows: Output<'payments.search'>) => paymentHits(rows, context.amountUnit)
  const all = listPath(context, 'payments', by)
  return search(context, what, ['payments.search', { ...by, page_size: pageSize }], hits, all)
}

function customers(context: Scope, what: string, by: { external_id: string } | { search_text: string }): Search {
  const all = listPath(context, 'customers', by)
  return search(context, what, ['customers.list', { ...by, page_size: pageSize }], (rows) => rows.map(customerHit), all)
}

function paykeys(context: Scope, text: string): Search {
  const all = listPath(context, 'paykeys', { search_text: text })
  return search(context, 'paykeys', ['paykeys.list', { search_text: text, page_size: pageSize }], (rows) => rows.map(paykeyHit), all)
}

function organizations(context: Scope, what: string, by: { external_id: string } | { name: string }): Search {
  const all = listPath(context, 'organizations', by)
  const hits = (rows: Output<'organizations.list'>) => rows.map((row) => namedHit('organizations', row))
  return search(context, what, ['organizations.list', { ...by, page_size: pageSize }], hits, all)
}

function byKey(context: Scope, text: string): Search[] {
  const accounts: [`accounts.list`, Input<'accounts.list'>] = ['accounts.list', { external_id: text, page_size: pageSize }]
  return [
    payments(context, 'payments by external ID', { external_id: text }),
    customers(context, 'customers by external ID', { external_id: text }),
    search(context, 'accounts by external ID', accounts, (rows) => rows.map(accountHit)),
    organizations(context, 'organizations by external ID', { external_id: text }),
    customers(context, 'customers by name', { search_text: text }),
    ownSearch(context, traceWords, text),
  ]
}

function all(context: Scope, term: Term): Search[] {
  switch (term.kind) {
    case 'id':
      return readById(context, term.id, term.isAccount)
    case 'email':
      return [ownSearch(context, 'customers by email', term.text)]
    case 'digits':
      return [paykeys(context, term.text), payments(context, 'payments', { search_text: term.text })]
    case 'key':
      return byKey(context, term.text)
    case 'words':
      return [
        customers(context, 'customers', { search_text: term.text }),
        payments(context, 'payments', { search_text: term.text }),
        organizations(context, 'organizations', { name: term.text }),
      ]
  }
}

/**
 * Returns the searches for a term in the current scope. If an account must be chosen first, only platform records can be searched.
 * `unavailable` are the names of the other searches, because a skipped search is not an empty result.
 */
function lookupPlan(context: Scope, term: Term): { searches: Search[]; unavailable: string[] } {
  const planned = all(context, term)
  if (!context.needsAccount) return { searches: planned, unavailable: [] }
  return {
    searches: planned.filter((each) => each.platform),
    unavailable: planned.filter((each) => !each.platform).map((each) => each.what),
  }
}

const pause = 350
const notHere = new Set(['service_not_found', 'not_found'])

export type Lookup = {
  hits: Hit[]
  traces: FoundTrace[]
  /** Searches with more matches than shown, and the URL of all matches. */
  more: { what: string; total: number; path: string }[]
  searched: string[]
  failures: { what: string; why: string }[]
  busy: boolean
}

/** Returns the term after a pause in typing, null until then. A pasted term is returned at once. */
function useSettledTerm(term: Term | null): Term | null {
  const name = JSON.stringify(term)
  const settled = useSettled(name, pause)
  return term && (isWhole(term) || settled === name) ? term : null
}

const byId = (hits: Hit[]): Hit[] => [...new Map(hits.map((hit) => [`${hit.resource}/${hit.id}`, hit])).values()]

/** Returns the hits with exact name matches first, because Enter opens the first hit. */
const exactFirst = (hits: Hit[], term: Term | null): Hit[] => {
  if (term?.kind !== 'words' && term?.kind !== 'key') return hits
  const isExact = ({ title }: Hit) => title.localeCompare(term.text, 'en', { sensitivity: 'base' }) === 0
  return [...hits.filter(isExact), ...hits.filter((hit) => !isExact(hit))]
}

const cameOf = ({ found }: Search, result: UseQueryResult<CallAnswer<unknown>> | undefined) => (result?.data ? found(result.data) : null)

/** Runs all searches for a term. "Not found" is a result. Any other error is a failure, because the record may exist. */
export function useLookup(typed: Term | null): Lookup {
  const context = usePageContext()
  const term = useSettledTerm(typed)
  const { searches, unavailable } = term ? lookupPlan(context, term) : { searches: [], unavailable: [] }
  const results = useQueries({ queries: searches.map(({ query }) => query) })
  const all = searches.map((each, at) => ({ ...each, result: results[at], came: cameOf(each, results[at]) }))
  const failed = all.filter(({ result }) => result?.error && !notHere.has(result.error.code))
  const found = all.flatMap(({ came }) => came ?? [])
  return {
    hits: exactFirst(byId(found.flatMap(({ hits }) => hits)), term),
    traces: found.flatMap(({ traces }) => traces),
    more: all.flatMap(({ what, all: path, came }) => {
      const total = came?.total ?? 0
      return path && total > (came?.hits.length ?? 0) ? [{ what, total, path }] : []
    }),
    searched: all.filter((each) => (each.result?.error ? !failed.includes(each) : each.came)).map(({ what }) => what),
    failures: [
      ...failed.map(({ what, result }) => ({ what, why: result?.error?.message ?? '' })),
      ...found.flatMap(({ unsearched }) => unsearched),
      ...unavailable.map((what) => ({ what, why: 'Choose an account first: you have access to single accounts, not the whole platform.' })),
    ],
    busy: (typed !== null && term === null) || all.some(({ result }) => result?.isFetching),
  }
}
