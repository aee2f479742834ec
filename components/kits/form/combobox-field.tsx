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

/** For example "6 of 42 customers". `size` is the requested page size. */
export function formatSearchResult(
  page: ListPage | undefined,
  size: number,
  { one, many }: { one: string; many: string },
): string {
  if (!page) return ''
  const readableCount = page.data.length
  const unreadableCount = countSentRows(page) - readableCount
  const unreadableText = unreadableCount > 0 ? ` ${unreadableCount} could not be read.` : ''
  if (readableCount === 0)
    return `${unreadableCount > 0 ? 'No readable' : 'No'} ${one} matches.${unreadableText}`
  const total = findTotalRowCount(page, { size })
  if (total !== null && total <= readableCount + unreadableCount)
    return `${readableCount} ${readableCount === 1 ? one : many}.${unreadableText}`
  return `${readableCount} of ${total === null ? 'more' : toCountText(total)} ${many}. Type more of the name to narrow the list.${unreadableText}`
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
