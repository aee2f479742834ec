'use client'

import { lazy, useState } from 'react'
import { Boundary } from '@/components/ui/boundary'
import type { ComboboxProps } from '@/components/ui/combobox'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import {
  countSentRows,
  findTotalRowCount,
  type ListPage,
  toCountText,
} from '@/lib/operations/list-count'

type SearchNouns = { one: string; many: string }

function formatMatchCount(
  page: ListPage,
  size: number,
  { one, many }: SearchNouns,
  hasSearchText: boolean,
): string {
  const [readableCount, sentCount] = [page.data.length, countSentRows(page)]
  if (readableCount === 0) return `${sentCount > 0 ? 'No readable' : 'No'} ${one} matches.`
  const total = findTotalRowCount(page, { size })
  if (total !== null && total <= sentCount)
    return `${readableCount} ${readableCount === 1 ? one : many}.`
  if (hasSearchText)
    return `${readableCount} of ${total === null ? 'more' : toCountText(total)} ${many}. Type more of the name to narrow the list.`
  const countText = total === null ? `At least ${sentCount}` : toCountText(total)
  return `${countText} ${many}. Type a name to find one.`
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
  const unreadableCount = countSentRows(page) - page.data.length
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
