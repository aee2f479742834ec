'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { GoToKeys } from './go-to-keys'
import type { PageIcons } from './page-icons'
import { PaletteButton } from './palette-button'

const KeysSheet = lazy(() => import('./keys-sheet').then((module) => ({ default: module.KeysSheet })))

/** Everything that finds and goes: the box of the top bar, the go-to keys, and the sheet that lists all keys. */
export function DeskKeys({ icon, icons, platformAllowed }: { icon: ReactNode; icons: PageIcons; platformAllowed: boolean }) {
  const [sheet, setSheet] = useState(false)
  useShortcut('?', () => setSheet(true), true, { group: 'Everywhere', keys: { '/': 'Find or go to', '?': 'Show these keys' } })
  return (
    <>
      <PaletteButton icon={icon} icons={icons} platformAllowed={platformAllowed} onKeys={() => setSheet(true)} />
      <GoToKeys />
      {sheet && (
        <Suspense>
          <KeysSheet onClose={() => setSheet(false)} />
        </Suspense>
      )}
    </>
  )
}
