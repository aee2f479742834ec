'use client'

import { useEffect, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { buttonVariants } from '@/components/ui/button-variants'
import { CopyButton } from '@/components/ui/copy-button'
import { Kbd } from '@/components/ui/kbd'
import { rowOf } from '@/lib/operations/rows'
import { recordPath } from '@/lib/routes'
import { CopyIcon } from './icons'
import type { RecordNouns } from './record-failed'

const chordTime = 1500

/** The id, and the link, call and JSON of a record for the clipboard; `y` then `i`, `l`, `c` or `j` copies them by key. */
export function CopyRecord({ nouns, record, account }: { nouns: RecordNouns; record: { id: string }; account: string | null }) {
  const desk = useDesk()
  const [said, setSaid] = useState('')
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const path = recordPath(desk.environment, nouns.resource, record.id, { account })
  const link = typeof location === 'undefined' ? path : new URL(path, location.origin).href
  const texts: Record<string, { what: string; text: () => string }> = {
    i: { what: `${nouns.one} id`, text: () => record.id },
    l: { what: 'link', text: () => link },
    c: { what: 'cURL without the key', text: () => curlOf(nouns, record.id, account) },
    j: { what: 'JSON', text: () => JSON.stringify(record, null, 2) },
  }
  const words = {
    group: 'Record',
    keys: Object.fromEntries(Object.entries(texts).map(([key, { what }]) => [`y ${key}`, `Copy the ${what}`])),
  }
  const wait = () => {
    clearTimeout(waiting.current)
    waiting.current = setTimeout(() => {
      waiting.current = undefined
    }, chordTime)
  }
  useShortcut('y', wait, true, words)
  useShortcut(Object.keys(texts), (event) => {
    const chosen = texts[event.key]
    if (waiting.current === undefined || !chosen) return
    clearTimeout(waiting.current)
    waiting.current = undefined
    navigator.clipboard.writeText(chosen.text()).then(
      () => setSaid(`Copied the ${chosen.what}`),
      () => setSaid('The browser did not allow copying'),
    )
  })
  return (
    <details className="relative" onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.removeAttribute('open')}>
      <summary
        title="Copy: y, then i, l, c or j"
        aria-label="Copy"
        className={`${buttonVariants({ size: 'icon', variant: 'quiet' })} list-none`}
      >
        <CopyIcon />
      </summary>
      <div className="absolute top-full right-0 z-20 mt-1 grid w-56 gap-0.5 rounded-lg border border-line bg-raised p-1 shadow-float">
        {Object.entries(texts).map(([key, { what, text }]) => (
          <span key={key} className="flex items-center justify-between pr-2">
            <CopyButton text={text()} what={what} className="flex-1">
              Copy {what}
            </CopyButton>
            <span className="flex gap-0.5">
              <Kbd>y</Kbd>
              <Kbd>{key}</Kbd>
            </span>
          </span>
        ))}
      </div>
      <span role="status" className="sr-only">
        {said}
      </span>
    </details>
  )
}

/** The same read by hand; address and key stay names of variables. */
function curlOf({ resource }: RecordNouns, id: string, account: string | null): string {
  const row = rowOf(`${resource}.get`)
  const lines = [`curl "$SERVICE_URL/v1${row.path.replace(':id', id)}"`, `-H "Authorization: Bearer $SERVICE_API_KEY"`]
  const scoped = account !== null && row.scope !== 'forbidden'
  return [...lines, ...(scoped ? [`-H "Service-Account-Id: ${account}"`] : [])].join(' \\\n  ')
}
