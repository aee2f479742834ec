'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useAccountChoices } from '@/components/kits/form/account-choices'
import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences } from '@/components/kits/layout/preferences-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import type { PageIcons } from '@/components/shell/page-icons'
import { usePathInScope } from '@/components/shell/scope-path'
import { StatusBadge } from '@/components/ui/tone'
import type { StatusWords } from '@/lib/domain/status'
import { capitalizeFirst } from '@/lib/formats'
import type { FoundTrace } from '@/lib/operations/find'
import { toCountText } from '@/lib/operations/list-count'
import { getServiceOperation } from '@/lib/operations/service-operations'
import { listPages } from '@/lib/pages'
import { activityPath, deskPath, type LinkScope, recordPath, targetPath } from '@/lib/routes'
import {
  filterGroups,
  listFormEntries,
  listSettingEntries,
  type PaletteEntry,
  type PaletteGroup,
  scoreMatch,
} from './entries'
import { listRecentHits, type PaletteHit, resourceLabels } from './hit'
import { parseTerm } from './search-term'
import { type PaletteLookup, useLookup } from './use-lookup'

const actionStateLabels: Record<
  NonNullable<FoundTrace['state']>,
  Pick<StatusWords, 'label' | 'tone'>
> = {
  awaiting_approval: { label: 'Awaiting approval', tone: 'moving' },
  sending: { label: 'Sending', tone: 'moving' },
  applied: { label: 'Applied', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
  unknown: { label: 'Outcome unknown', tone: 'held' },
  needs_human: { label: 'Needs a decision', tone: 'held' },
  rejected: { label: 'Approval rejected', tone: 'bad' },
  withdrawn: { label: 'Request withdrawn', tone: 'neutral' },
  expired: { label: 'Request expired', tone: 'neutral' },
  void: { label: 'Request void', tone: 'bad' },
}

const toResponseState = (status: number | null): Pick<StatusWords, 'label' | 'tone'> => ({
  label: String(status),
  tone: status !== null && status < 400 ? 'good' : 'bad',
})

const toTraceEntryFields = ({ kind, operation, state, status, by, actor }: FoundTrace) => ({
  title: capitalizeFirst(getServiceOperation(operation).verbPhrase),
  note: `${kind === 'action' ? 'Action' : 'Request'} by ${actor}, found by ${by.replace(/ id$/, ' ID')}`,
  shown: state ? actionStateLabels[state] : toResponseState(status),
})

/**
 * Returns the path that a found action or request opens: the page of its record, or its requests in
 * the activity log if the record has no page.
 */
function toTracePath(
  linkScope: LinkScope,
  { kind, id, target, account }: FoundTrace,
  searchText: string,
): string {
  const path = targetPath(linkScope, target, { account })
  if (path !== null) return path
  // Account settings and capability requests have no page of their own, so the path opens the page
  // of their account.
  if (account && /^(?:account_settings|capability_requests)\//.test(target ?? '')) {
    return recordPath(linkScope, 'accounts', account.replace(/^acct_/, ''), { account })
  }
  return activityPath(linkScope, { tab: 'requests', request: kind === 'action' ? id : searchText })
}

const maxAccountEntries = 6

/**
 * Returns an id without its middle. It is shown so that people can distinguish records with the
 * same name.
 */
const shortenId = (id: string) => `${id.slice(0, 8)}…${id.slice(-6)}`

type PaletteGroupsOptions = {
  typed: string
  icons: PageIcons
  platformAllowed: boolean
  onKeys: () => void
}

export function usePaletteGroups({ typed, icons, platformAllowed, onKeys }: PaletteGroupsOptions): {
  groups: PaletteGroup[]
  lookup: PaletteLookup
} {
  const trimmedText = typed.trim()
  const lookup = useLookup(parseTerm(trimmedText))
  const foundEntries = useFoundEntries(lookup, icons, trimmedText)
  const recentEntries = useRecentEntries(icons)
  const fixedGroups = useFixedGroups(icons, onKeys)
  const accountEntries = useAccountEntries(trimmedText, icons, platformAllowed)
  const paletteGroups = [
    { heading: 'Found', entries: foundEntries },
    { heading: 'Recently opened', entries: trimmedText === '' ? recentEntries : [] },
    ...filterGroups(trimmedText, fixedGroups),
    { heading: 'Switch account', entries: accountEntries },
  ]
  return { groups: paletteGroups.filter(({ entries }) => entries.length > 0), lookup }
}

const renderStatusBadge = (hit: PaletteHit | null) =>
  hit?.state && <StatusBadge tone={hit.state.tone}>{hit.state.label}</StatusBadge>

function useFoundEntries(
  { hits, traces, more }: PaletteLookup,
  icons: PageIcons,
  text: string,
): PaletteEntry[] {
  const context = usePageContext()
  const { account } = context
  return [
    ...hits.map((hit) => ({
      value: `hit ${hit.resource}/${hit.id}`,
      icon: icons[hit.resource],
      title: hit.title,
      note: `${resourceLabels[hit.resource]} ${shortenId(hit.id)}`,
      state: renderStatusBadge(hit),
      path: recordPath(context, hit.resource, hit.id, { account }),
    })),
    ...traces.map((trace) => {
      const { title, note, shown } = toTraceEntryFields(trace)
      return {
        value: `trace ${trace.id}`,
        icon: icons.activity,
        title,
        note,
        state: (
          <>
            <RelativeTime at={trace.at} show="ago" className="text-ink-3 text-xs" />
            <StatusBadge tone={shown.tone}>{shown.label}</StatusBadge>
          </>
        ),
        path: toTracePath(context, trace, text),
      }
    }),
    ...more.map(({ what, total, path }) => ({
      value: `more ${what}`,
      title: `All ${toCountText(total)} ${what}`,
      note: 'open the list',
      path,
    })),
  ]
}

function useRecentEntries(icons: PageIcons): PaletteEntry[] {
  const context = usePageContext()
  const { environment, amountUnit } = context
  return listRecentHits(useQueryClient(), environment, amountUnit).map(({ record, hit }) => ({
    value: `recent ${record.resource}/${record.id}`,
    icon: icons[record.resource],
    title: hit?.title ?? shortenId(record.id),
    note: hit
      ? `${resourceLabels[record.resource]} ${shortenId(record.id)}`
      : resourceLabels[record.resource],
    state: renderStatusBadge(hit),
    path: recordPath(context, record.resource, record.id, { account: record.account }),
  }))
}

function useFixedGroups(icons: PageIcons, onKeys: () => void): PaletteGroup[] {
  const context = usePageContext()
  const { preferences, change } = usePreferences()
  return [
    {
      heading: 'Pages',
      entries: listPages(context).map((page) => ({
        value: `page ${page.id}`,
        icon: icons[page.id],
        title: page.name,
        ...(preferences.shortcuts ? { keys: ['g', page.key] } : {}),
        path: deskPath(context, page.path),
      })),
    },
    { heading: 'Actions', entries: listFormEntries(context) },
    {
      heading: 'Settings',
      entries: [
        ...listSettingEntries(preferences, change),
        {
          value: 'keys',
          title: 'Show keyboard shortcuts',
          ...(preferences.shortcuts ? { keys: ['?'] } : {}),
          run: onKeys,
        },
      ],
    },
  ]
}

function useAccountEntries(
  text: string,
  icons: PageIcons,
  platformAllowed: boolean,
): PaletteEntry[] {
  const context = usePageContext()
  const getPathInScope = usePathInScope()
  const { accounts } = useAccountChoices(text !== '')
  if (text === '') return []
  const hasPlatform =
    platformAllowed &&
    context.account !== null &&
    scoreMatch(text, 'Whole platform', 'all accounts') > 0
  const matchingAccounts = accounts
    .filter(({ id, name }) => id !== context.account && scoreMatch(text, name, id) > 0)
    .slice(0, maxAccountEntries)
  return [
    ...(hasPlatform
      ? [
          {
            value: 'scope',
            icon: icons.accounts,
            title: 'Whole platform',
            note: 'all accounts',
            path: getPathInScope(null),
          },
        ]
      : []),
    ...matchingAccounts.map(({ id, name, status }) => ({
      value: `scope ${id}`,
      icon: icons.accounts,
      title: name,
      note: `stay on this page, in this account · ${status}`,
      path: getPathInScope(id),
    })),
  ]
}
