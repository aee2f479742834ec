import type { ListSpec, ListView } from '@/components/kits/list/spec'
import { listPeriodBounds, toViewHref } from '@/components/kits/list/view'
import {
  type CallFilter,
  type CallResult,
  type LogCursor,
  type LoggedCall,
  parseCallFilter,
  toLogCursorText,
} from '@/lib/operations/activity'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'

/** Logged requests as columns, so that field names are sent once. A column whose values are all equal has one entry. */
export type CallColumns = { [Field in keyof LoggedCall]: LoggedCall[Field][] }

/** Converts logged requests to columns. `toCalls` converts columns back. */
export function toCallColumns(calls: readonly [LoggedCall, ...LoggedCall[]]): CallColumns {
  const fields = Object.keys(calls[0]) as (keyof LoggedCall)[]
  const toColumnValues = (field: keyof LoggedCall) => {
    const values = calls.map((call) => call[field])
    return values.every((value) => value === values[0]) ? values.slice(0, 1) : values
  }
  return Object.fromEntries(fields.map((field) => [field, toColumnValues(field)])) as CallColumns
}

export const toCalls = (columns: CallColumns): LoggedCall[] =>
  columns.id.map((_, at) => {
    const values = Object.entries(columns).map(([field, all]) => [field, all.length === 1 ? all[0] : all[at]])
    return Object.fromEntries(values) as LoggedCall
  })

const callResultLabels: Readonly<Record<CallResult, string>> = { answered: 'Answered', refused: 'Refused', failed: 'Failed' }

const emptyText =
  'No requests yet. Every request a user sends to the payments service is listed here for 90 days, without the content sent or received.'

/** The request log, newest first. It has no sorts and page sizes, because its pages start at a request. */
export const requestList = {
  resource: 'requests',
  operation: null,
  title: 'Requests',
  one: 'request',
  many: 'requests',
  tabs: [{ id: 'requests', label: 'Requests', query: {}, empty: emptyText }],
  search: { name: 'request', placeholder: 'Request ID' },
  filters: {
    operation: {
      label: 'Operation',
      kind: 'choice',
      choices: Object.fromEntries(serviceOperationIds.map((id) => [id, serviceOperation(id).verbPhrase])),
    },
    result: { label: 'Answer', kind: 'choice', choices: callResultLabels },
    person: { label: 'User', kind: 'choice', choices: { me: 'Only mine' } },
    from: { label: 'From (UTC)', kind: 'since' },
    to: { label: 'To (UTC)', kind: 'until' },
    error: { label: 'Error', kind: 'quote' },
    detail: { label: 'Text', kind: 'quote' },
    target: { label: 'Record', kind: 'link' },
  },
  periods: { at: { label: 'Time', from: 'from', to: 'to', kind: 'instant' } },
  sorts: ['at'],
  order: 'desc',
  columns: {
    person: { label: 'User' },
    target: { label: 'Record' },
    account: { label: 'Account' },
    request: { label: 'Request ID', hidden: true },
    took: { label: 'Milliseconds' },
  },
} as const satisfies ListSpec<null>

/** Returns the list with the name of the person it is filtered by. `name` is undefined if unknown. */
export function buildRequestList(view: ListView, name: string | undefined): ListSpec<null> {
  const { person } = view.filters
  if (!person || person === 'me') return requestList
  const personChoices = { ...requestList.filters.person.choices, [person]: name ?? 'one user' }
  return { ...requestList, filters: { ...requestList.filters, person: { ...requestList.filters.person, choices: personChoices } } }
}

/** Returns the parameters of the log's API for a view. */
export const toLogQuery = (view: ListView): Record<string, string> => ({ ...view.filters, ...listPeriodBounds(view) })

export const toCallFilter = (view: ListView): CallFilter => parseCallFilter(toLogQuery(view))

type Scope = { environment: string; account: string | null }

/** Returns the URL of a view, starting at a request of the log (`at`) or with the newest ones. */
export function toLogHref(scope: Scope, view: ListView, at?: LogCursor): string {
  const href = toViewHref(requestList, scope, view)
  return at ? `${href}&${new URLSearchParams({ [at.way]: toLogCursorText(at) })}` : href
}

export const toPersonRequestsHref = (scope: Scope, view: ListView, person: string): string =>
  toViewHref(requestList, scope, view, { filters: { ...view.filters, person } })
