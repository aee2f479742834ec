'use client'

import { useDesk } from '@/components/kits/layout/desk-context'
import { usePreferences } from '@/components/kits/layout/preferences-context'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { StatusBadge } from '@/components/ui/status-badge'
import { rolesText } from '@/lib/domain/permissions'
import { mayOpen, pages } from '@/lib/pages'
import { deskPath, recordPath } from '@/lib/routes'
import { askedIn } from './asked'
import { type Hit, resourceWords } from './hit'
import type { PageIcons } from './page-icons'
import { settingEntries, startEntries } from './palette-actions'
import { fitOf, fitting, type PaletteEntry, type PaletteGroup } from './palette-entry'
import { tracePath, traceWords } from './palette-trace'
import { recentHits } from './recent'
import { usePathInScope } from './scope-path'
import { type Lookup, useLookup } from './use-lookup'

const mostAccounts = 6

/** Tells two records of one name apart. */
const shortId = (id: string) => `${id.slice(0, 8)}…${id.slice(-6)}`

type Options = { typed: string; icons: PageIcons; platformAllowed: boolean; onKeys: () => void }

/** Everything the palette offers for what is typed: what was found first, then pages, actions and accounts whose words fit. */
export function usePaletteGroups({ typed, icons, platformAllowed, onKeys }: Options): { groups: PaletteGroup[]; lookup: Lookup } {
  const text = typed.trim()
  const lookup = useLookup(askedIn(text))
  const found = useFound(lookup, icons, text)
  const recent = useRecent(icons)
  const fixed = useFixed(icons, onKeys)
  const accounts = useAccounts(text, icons, platformAllowed)
  const groups = [
    { heading: 'Found', entries: found },
    { heading: 'Opened here before', entries: text === '' ? recent : [] },
    ...fitting(text, fixed),
    { heading: 'Switch the account', entries: accounts },
  ]
  return { groups: groups.filter(({ entries }) => entries.length > 0), lookup }
}

const badge = (hit: Hit | null) => hit?.state && <StatusBadge tone={hit.state.tone}>{hit.state.label}</StatusBadge>

function useFound({ hits, traces, more }: Lookup, icons: PageIcons, text: string): PaletteEntry[] {
  const { environment, account } = useDesk()
  return [
    ...hits.map((hit) => ({
      value: `hit ${hit.resource}/${hit.id}`,
      icon: icons[hit.resource],
      title: hit.title,
      note: `${resourceWords[hit.resource]} ${shortId(hit.id)}`,
      state: badge(hit),
      path: recordPath(environment, hit.resource, hit.id, { account }),
    })),
    ...traces.map((trace) => {
      const { title, note, shown } = traceWords(trace)
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
        path: tracePath(environment, trace, text),
      }
    }),
    ...more.map(({ what, total, path }) => ({
      value: `more ${what}`,
      title: `All ${total.toLocaleString('en-US')} ${what}`,
      note: 'open the list',
      path,
    })),
  ]
}

function useRecent(icons: PageIcons): PaletteEntry[] {
  const { environment, amountUnit } = useDesk()
  return recentHits(environment, amountUnit).map(({ record, hit }) => ({
    value: `recent ${record.resource}/${record.id}`,
    icon: icons[record.resource],
    title: hit?.title ?? shortId(record.id),
    note: hit ? `${resourceWords[record.resource]} ${shortId(record.id)}` : resourceWords[record.resource],
    state: badge(hit),
    path: recordPath(environment, record.resource, record.id, { account: record.account }),
  }))
}

function useFixed(icons: PageIcons, onKeys: () => void): PaletteGroup[] {
  const desk = useDesk()
  const { preferences, change } = usePreferences()
  const { environment, account, person } = desk
  const closed = (page: (typeof pages)[number]) =>
    'allow' in page && person.roles.length > 0 && !mayOpen(page, person.roles) ? `Only ${rolesText(page.allow)} can open it.` : null
  return [
    {
      heading: 'Pages',
      entries: pages.map((page) => ({
        value: `page ${page.id}`,
        icon: icons[page.id],
        title: page.name,
        ...(preferences.shortcuts ? { keys: ['g', page.key] } : {}),
        closed: closed(page),
        path: deskPath(environment, page.path, { account }),
      })),
    },
    { heading: 'Actions', entries: startEntries(desk) },
    {
      heading: 'Settings',
      entries: [
        ...settingEntries(preferences, change),
        { value: 'keys', title: 'Show the keys of this page', ...(preferences.shortcuts ? { keys: ['?'] } : {}), run: onKeys },
      ],
    },
  ]
}

function useAccounts(text: string, icons: PageIcons, platformAllowed: boolean): PaletteEntry[] {
  const desk = useDesk()
  const pathInScope = usePathInScope()
  if (text === '') return []
  const platform = platformAllowed && desk.account !== null && fitOf(text, 'Whole platform', 'all accounts') > 0
  const named = desk.accounts.filter(({ id, name }) => id !== desk.account && fitOf(text, name, id) > 0).slice(0, mostAccounts)
  return [
    ...(platform ? [{ value: 'scope', icon: icons.accounts, title: 'Whole platform', note: 'all accounts', path: pathInScope(null) }] : []),
    ...named.map(({ id, name, status }) => ({
      value: `scope ${id}`,
      icon: icons.accounts,
      title: name,
      note: `stay on this page, in this account · ${status}`,
      path: pathInScope(id),
    })),
  ]
}
