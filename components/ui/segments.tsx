'use client'

import { useId } from 'react'

type SegmentsProps<T extends string> = {
  label: string
  options: readonly T[]
  words: Record<T, string>
  value: T
  onChange: (value: T) => void
}

/** One choice out of a few, as a row of radio buttons. */
export function Segments<T extends string>({ label, options, words, value, onChange }: SegmentsProps<T>) {
  const name = useId()
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-ink-3 text-xs">{label}</legend>
      <div className="flex rounded-sm border border-line bg-sunken p-0.5">
        {options.map((option) => (
          <label
            key={option}
            className="flex h-7 flex-1 cursor-pointer items-center justify-center rounded-[3px] border border-transparent px-2 text-ink-2 text-xs outline-offset-2 has-checked:border-line has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:h-10"
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
              className="sr-only"
            />
            {words[option]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
