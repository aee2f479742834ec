'use client'

import { lazy, useState } from 'react'
import { Boundary } from '@/components/ui/boundary'
import type { ComboboxProps } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import {
  countServiceRows,
  findTotalRowCount,
  type ListPage,
  toCountText,
} from '@/lib/operations/list-count'

type SearchNouns = { one: string; many: string }

const formatCount = (count: number, { one, many }: SearchNouns): string =>
  `${count} ${count === 1 ? one : many}.`

function formatMatchCount(
  page: ListPage,
  size: number,
  { one, many }: SearchNouns,
  hasSearchText: boolean,
): string {
  const [readableCount, sentCount] = [page.data.length, countServiceRows(page)]
  if (readableCount === 0) return `${sentCount > 0 ? 'No readable' : 'No'} ${one} matches.`
  const totalMatchCount = findTotalRowCount(page, { size })
  if (totalMatchCount !== null && totalMatchCount <= sentCount)
    return formatCount(readableCount, { one, many })
  const totalText = totalMatchCount === null ? null : toCountText(totalMatchCount)
  if (hasSearchText)
    return `${readableCount} of ${totalText ?? 'more'} ${many}. Type more of the name to narrow the list.`
  return `${totalText ?? `At least ${sentCount}`} ${many}. Type a name to find one.`
}

/**
 * For example "6 of 42 customers", or "42 customers" before the person has typed anything. `size`
 * is the requested page size.
 */
export function formatSearchResult(
  page: ListPage | undefined,
  size: number,
  nouns: SearchNouns,
  hasSearchText: boolean,
): string {
  if (!page) return ''
  const unreadableCount = countServiceRows(page) - page.data.length
  const unreadableText = unreadableCount > 0 ? ` ${unreadableCount} could not be read.` : ''
  return `${formatMatchCount(page, size, nouns, hasSearchText)}${unreadableText}`
}

const Combobox = lazy(() =>
  import('@/components/ui/combobox').then((module) => ({ default: module.Combobox })),
)

/** Until the script loads, a plain input accepts the text and passes its focus to the combobox. */
export function ComboboxField(props: ComboboxProps) {
  const [focused, setFocused] = useState(props.focused === true)
  return (
    <Boundary fallback={<ComboboxPlaceholder {...props} onFocused={setFocused} />}>
      <Combobox {...props} focused={focused} />
    </Boundary>
  )
}

const takeFocus = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true })

function ComboboxPlaceholder({
  label,
  hint,
  error,
  text,
  onText,
  status,
  focused,
  onFocused,
}: ComboboxProps & { onFocused: (is: boolean) => void }) {
  return (
    <div className="grid gap-1">
      <Field label={label} hint={hint} error={error}>
        {(control) => (
          <Input
            {...control}
            ref={focused ? takeFocus : null}
            type="search"
            autoComplete="off"
            maxLength={100}
            value={text}
            onFocus={() => onFocused(true)}
            onBlur={() => onFocused(false)}
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      <p className="min-h-4 text-ink-3 text-xs">{status}</p>
    </div>
  )
}
