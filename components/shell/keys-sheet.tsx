'use client'

import { usePageContext } from '@/components/kits/layout/page-context'
import { usePreferences } from '@/components/kits/layout/preferences-context'
import { activeShortcuts, type ShortcutLabels } from '@/components/kits/layout/use-shortcut'
import { Button, Kbd } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/field'
import { Dialog } from '@/components/ui/overlay'
import type { PageContext } from '@/lib/client/page-context'
import { useStore } from '@/lib/client/store'
import { listPages } from '@/lib/pages'

const fixedShortcuts: ShortcutLabels = {
  group: 'Everywhere',
  keys: { 'Ctrl K': 'Find or go to', Esc: 'Close what is open' },
}
const toGoToShortcuts = (context: PageContext): ShortcutLabels => ({
  group: 'Go to',
  keys: Object.fromEntries(listPages(context).map(({ key, name }) => [`g ${key}`, name])),
})

/** If several groups contain the same key, the label of the first one is kept. */
function mergeGroups(shortcutGroups: readonly ShortcutLabels[]): ShortcutLabels[] {
  const keysByGroup = new Map<string, Record<string, string>>()
  const nonEmptyGroups = shortcutGroups.filter(({ keys }) => Object.keys(keys).length > 0)
  for (const { group, keys } of nonEmptyGroups)
    keysByGroup.set(group, { ...keys, ...keysByGroup.get(group) })
  return [...keysByGroup].map(([group, keys]) => ({ group, keys }))
}

export function KeysSheet({ onClose }: { onClose: () => void }) {
  const { preferences, change } = usePreferences()
  const context = usePageContext()
  const activeGroups = useStore(activeShortcuts)
  const shownGroups = preferences.shortcuts
    ? mergeGroups([fixedShortcuts, ...activeGroups, toGoToShortcuts(context)])
    : [fixedShortcuts]
  return (
    <Dialog
      aria-labelledby="keys-title"
      onClose={onClose}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(44rem,calc(100vw-1rem))] overflow-y-auto"
    >
      <div className="grid gap-4 p-5">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 id="keys-title" className="font-semibold text-lg">
            Keyboard shortcuts
          </h2>
          <Button size="small" onClick={onClose} className="ml-auto">
            Close
          </Button>
        </div>
        <div className="columns-1 gap-8 sm:columns-2">
          {shownGroups.map(({ group, keys }) => (
            <section key={group} className="mb-4 break-inside-avoid">
              <h3 className="mb-1 font-medium text-ink-3 text-xs">{group}</h3>
              <dl className="grid gap-1 text-sm">
                {Object.entries(keys).map(([key, label]) => (
                  <div key={key} className="flex items-center justify-between gap-3">
                    <dt className="text-ink-2">{label}</dt>
                    <dd className="flex shrink-0 gap-1">
                      {key.split(' ').map((part) => (
                        <Kbd key={part}>{part}</Kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Checkbox
          label="Single-key shortcuts"
          checked={preferences.shortcuts}
          onChange={(event) => change({ shortcuts: event.target.checked })}
        />
      </div>
    </Dialog>
  )
}
