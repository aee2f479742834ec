'use client'

import { CommandItem } from 'cmdk'
import type { MouseEvent } from 'react'
import { Kbd } from '@/components/ui/kbd'
import type { PaletteEntry } from './palette-entry'

type PaletteLineProps = { entry: PaletteEntry; onChoose: (entry: PaletteEntry) => void; onOther: (entry: PaletteEntry) => void }

/** One line; the middle button opens it in another tab, as it does with a link. */
export function PaletteLine({ entry, onChoose, onOther }: PaletteLineProps) {
  const { value, icon, title, note, state, keys, closed } = entry
  const aside = (event: MouseEvent) => {
    if (event.button === 1 && !closed) onOther(entry)
  }
  return (
    <CommandItem
      value={value}
      disabled={Boolean(closed)}
      onSelect={() => onChoose(entry)}
      onAuxClick={aside}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 py-1 text-sm aria-disabled:cursor-not-allowed data-[selected=true]:bg-selected pointer-coarse:min-h-11"
    >
      <span aria-hidden="true" className="flex size-4 shrink-0 items-center justify-center text-ink-3 [&_svg]:size-4">
        {icon}
      </span>
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <bdi className={closed ? 'truncate text-ink-3' : 'truncate text-ink'}>{title}</bdi>
        {(closed || note) && <span className="min-w-0 truncate text-ink-3 text-xs">{closed ?? note}</span>}
      </span>
      {state && <span className="flex shrink-0 items-center gap-2">{state}</span>}
      {keys && (
        <span className="flex shrink-0 gap-1 max-sm:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </span>
      )}
    </CommandItem>
  )
}
