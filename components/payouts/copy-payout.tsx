'use client'

import { useEffect, useRef, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { useShortcut } from '@/components/kits/layout/use-shortcut'
import { CopyButton } from '@/components/ui/copy-button'
import { ShortId } from '@/components/ui/short-id'
import type { Payout } from '@/lib/operations/payouts.schema'
import { detailHref } from './payout-view'

const chordTime = 1500

/** The id, and the link, call and JSON of a payout for the clipboard; `y` then `i`, `l`, `c` or `j` copies them by key. */
export function CopyPayout({ payout, account }: { payout: Payout; account: string | null }) {
  const desk = useDesk()
  const [said, setSaid] = useState('')
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const path = detailHref(desk.environment, account, payout.id)
  const link = typeof location === 'undefined' ? path : new URL(path, location.origin).href
  const texts: Record<string, { what: string; text: () => string }> = {
    i: { what: 'payout id', text: () => payout.id },
    l: { what: 'link', text: () => link },
    c: { what: 'cURL without the key', text: () => curlOf(payout.id, account) },
    j: { what: 'JSON', text: () => JSON.stringify(payout, null, 2) },
  }
  useShortcut('y', () => {
    clearTimeout(waiting.current)
    waiting.current = setTimeout(() => {
      waiting.current = undefined
    }, chordTime)
  })
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
    <div className="flex flex-wrap items-center text-ink-3">
      <ShortId id={payout.id} what="payout id" />
      <CopyButton text={link} what="link">
        Link
      </CopyButton>
      <CopyButton text={curlOf(payout.id, account)} what="cURL without the key">
        cURL
      </CopyButton>
      <span role="status" className="text-xs">
        {said}
      </span>
    </div>
  )
}

/** The same read by hand; address and key stay names of variables. */
function curlOf(id: string, account: string | null): string {
  const lines = [`curl "$SERVICE_URL/v1/payouts/${id}"`, `-H "Authorization: Bearer $SERVICE_API_KEY"`]
  return [...lines, ...(account ? [`-H "Service-Account-Id: ${account}"`] : [])].join(' \\\n  ')
}
