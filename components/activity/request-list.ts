import type { ListSpec, ListView } from '@/components/kits/list/spec'
import { periodBounds, viewHref } from '@/components/kits/list/view'
import { type CallFilter, type CallResult, callFilterOf, type LoggedCall, type LogPlace, logPlaceText } from '@/lib/operations/activity'
import { serviceOperation, serviceOperationIds } from '@/lib/operations/service-operations'

/**
 * Calls field by field, so that the names of the fields are sent once and not with each of fifty calls. A field that says the same of all of them
 * has one value.
 */
export type CallColumns = { [Field in keyof LoggedCall]: LoggedCall[Field][] }

/** Lays calls out for sending; `callsIn` gives them back. */
export function callColumnsOf(calls: readonly [LoggedCall, ...LoggedCall[]]): CallColumns {
  const fields = Object.keys(calls[0]) as (keyof LoggedCall)[]
  const valuesOf = (field: keyof LoggedCall) => {
    const values = calls.map((call) => call[field])
    return values.every((value) => value === values[0]) ? values.slice(0, 1) : values
  }
  return Object.fromEntries(fields.map((field) => [field, valuesOf(field)])) as CallColumns
}

export const callsIn = (columns: CallColumns): LoggedCall[] =>
  columns.id.map((_, at) => {
    const values = Object.entries(columns).map(([field, all]) => [field, all.length === 1 ? all[0] : all[at]])
    return Object.fromEntries(values) as LoggedCall
  })

const results: Readonly<Record<CallResult, string>> = { answered: 'Answered', refused: 'Refused', failed: 'Failed' }

const emptyText =
  'No requests yet. Every request a user sends to the payments service is listed here for 90 days, without the content sent or received.'

/** The calls of the request log, newest first. It is read from a place on and not by numbered pages, so it has neither sorts nor sizes to choose. */
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
    result: { label: 'Answer', kind: 'choice', choices: results },
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

/** The list as it is drawn, with the name of the person whose calls it is narrowed to, where that is known. */
export function requestListFor(view: ListView, name: string | undefined): ListSpec<null> {
  const { person } = view.filters
  if (!person || person === 'me') return requestList
  const choices = { ...requestList.filters.person.choices, [person]: name ?? 'one user' }
  return { ...requestList, filters: { ...requestList.filters, person: { ...requestList.filters.person, choices } } }
}

/** What a view asks of the log, as its API reads it. */
export const fieldsOf = (view: ListView): Record<string, string> => ({ ...view.filters, ...periodBounds(view) })

/** The same as a filter. */
export const filterOf = (view: ListView): CallFilter => callFilterOf(fieldsOf(view))

type Place = { environment: string; account: string | null }

/** The URL of a view from a place on; without one, of its newest calls. */
export function placeHref(place: Place, view: ListView, at?: LogPlace): string {
  const href = viewHref(requestList, place, view)
  return at ? `${href}&${new URLSearchParams({ [at.way]: logPlaceText(at) })}` : href
}

/** The URL of a view narrowed to the calls of one person (an id). */
export const personHref = (place: Place, view: ListView, person: string): string =>
  viewHref(requestList, place, view, { filters: { ...view.filters, person } })
