import type { ListSpec, ListViewState } from '@/components/kits/list/spec'
import { listPeriodBounds, toViewHref } from '@/components/kits/list/view'
import {
  type CallFilter,
  type CallResult,
  type LogCursor,
  type LoggedCall,
  parseCallFilter,
  toLogCursorText,
} from '@/lib/operations/activity'
import { getServiceOperation, serviceOperationIds } from '@/lib/operations/service-operations'

/**
 * Logged requests as one array of values per field, so that each field name is sent to the browser
 * only once. If all values of a field are equal, its array has one entry.
 */
export type CallFieldValues = { [Field in keyof LoggedCall]: LoggedCall[Field][] }

export function toCallFieldValues(calls: readonly [LoggedCall, ...LoggedCall[]]): CallFieldValues {
  const fieldNames = Object.keys(calls[0]) as (keyof LoggedCall)[]
  const collapseEqualValues = (field: keyof LoggedCall) => {
    const values = calls.map((call) => call[field])
    return values.every((value) => value === values[0]) ? values.slice(0, 1) : values
  }
  return Object.fromEntries(
    fieldNames.map((field) => [field, collapseEqualValues(field)]),
  ) as CallFieldValues
}

export const toCalls = (fieldValues: CallFieldValues): LoggedCall[] =>
  fieldValues.id.map((_, at) => {
    const fieldEntries = Object.entries(fieldValues).map(([field, all]) => [
      field,
      all.length === 1 ? all[0] : all[at],
    ])
    return Object.fromEntries(fieldEntries) as LoggedCall
  })

const callResultLabels: Readonly<Record<CallResult, string>> = {
  answered: 'Answered',
  refused: 'Refused',
  failed: 'Failed',
}

const noRequestsText =
  'No requests yet. Every request a user sends to the payments service is listed here for 90 days, without the content sent or received.'

/** Sort and page size cannot be chosen: pages start at a request, not at a page number. */
export const requestList = {
  resource: 'requests',
  operation: null,
  title: 'Requests',
  one: 'request',
  many: 'requests',
  tabs: [{ id: 'requests', label: 'Requests', query: {}, empty: noRequestsText }],
  search: { name: 'request', placeholder: 'Request ID' },
  filters: {
    operation: {
      label: 'Operation',
      kind: 'choice',
      choices: Object.fromEntries(
        serviceOperationIds.map((id) => [id, getServiceOperation(id).verbPhrase]),
      ),
    },
    result: { label: 'Answer', kind: 'choice', choices: callResultLabels },
    person: { label: 'User', kind: 'choice', choices: { me: 'Only mine' } },
    from: { label: 'From', kind: 'since' },
    to: { label: 'To', kind: 'until' },
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

/** If the view is filtered by a person, adds the name to the choices: the filter then shows it. */
export function buildRequestList(
  view: ListViewState,
  personName: string | undefined,
): ListSpec<null> {
  const { person } = view.filters
  if (!person || person === 'me') return requestList
  const personChoices = {
    ...requestList.filters.person.choices,
    [person]: personName ?? 'one user',
  }
  return {
    ...requestList,
    filters: {
      ...requestList.filters,
      person: { ...requestList.filters.person, choices: personChoices },
    },
  }
}

export const toLogQuery = (view: ListViewState): Record<string, string> => ({
  ...view.filters,
  ...listPeriodBounds(view),
})

export const toCallFilter = (view: ListViewState): CallFilter => parseCallFilter(toLogQuery(view))

type LogScope = { environment: string; account: string | null }

/** Without a cursor, the view starts with the newest requests. */
export function toLogHref(scope: LogScope, view: ListViewState, cursor?: LogCursor): string {
  const href = toViewHref(requestList, scope, view)
  return cursor ? `${href}&${new URLSearchParams({ [cursor.way]: toLogCursorText(cursor) })}` : href
}

export const toPersonRequestsHref = (
  scope: LogScope,
  view: ListViewState,
  personId: string,
): string =>
  toViewHref(requestList, scope, view, { filters: { ...view.filters, person: personId } })
