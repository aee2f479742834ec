'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useEffectEvent, useState } from 'react'
import { useDesk } from '@/components/kits/layout/desk-context'
import { isElsewhere, useShortcut } from '@/components/kits/layout/use-shortcut'
import { Kbd } from '@/components/ui/kbd'
import { pageOfKey, pages } from '@/lib/pages'
import { deskPath } from '@/lib/routes'

/** How long the second key is waited for. */
const patience = 4000

/** `g`, then a letter, goes to a page. A hint with the letters stands at the foot of the window while the second key is waited for. */
export function GoToKeys() {
  const { environment, account, preferences } = useDesk()
  const router = useRouter()
  const [waiting, setWaiting] = useState(false)
  useShortcut('g', (event) => {
    event.preventDefault()
    setWaiting(true)
  })
  const second = useEffectEvent((event: KeyboardEvent) => {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    setWaiting(false)
    if (isElsewhere(event)) return
    // Whatever the letter means on the page, here it is the second half of a pair.
    event.preventDefault()
    event.stopPropagation()
    const page = pageOfKey(event.key)
    if (page) router.push(deskPath(environment, page.path, { account }))
  })
  const listening = waiting && preferences.shortcuts
  useEffect(() => {
    if (!listening) return
    const stop = () => setWaiting(false)
    const timer = setTimeout(stop, patience)
    document.addEventListener('keydown', second, true)
    document.addEventListener('pointerdown', stop)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', second, true)
      document.removeEventListener('pointerdown', stop)
    }
  }, [listening])
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-40 flex justify-center px-4">
      {listening && (
        <div className="popover-enter max-w-3xl rounded-lg border border-line bg-raised px-3 py-2 shadow-float">
          <p className="text-ink-2 text-xs">
            Go to: press a letter, <Kbd>Esc</Kbd> leaves
          </p>
          <ul className="mt-1.5 flex flex-wrap gap-x-3 gap-y-1 text-xs">
            {pages.map(({ id, key, name }) => (
              <li key={id} className="flex items-center gap-1">
                <Kbd>{key}</Kbd> {name}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
