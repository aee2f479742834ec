'use client'

import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import { type MouseEvent, useState } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { TabLinks, tabLinkClasses } from '@/components/ui/tab-links'
import type { LinkPlace } from './place'

// Drawn in the browser only: a form mints the key of its write, and the server's would be another one.
const loading = () => <Skeleton className="h-72" />
const HostedWidget = dynamic(() => import('./hosted-widget').then((module) => module.HostedWidget), { ssr: false, loading })
const BankDetails = dynamic(() => import('./bank-details').then((module) => module.BankDetails), { ssr: false, loading })
const AggregatorToken = dynamic(() => import('./aggregator-token').then((module) => module.AggregatorToken), { ssr: false, loading })

const ways = { widget: 'Hosted widget', bank: 'Bank details', token: 'Aggregator token' } as const

type Way = keyof typeof ways

const wayOf = (text: string | null): Way => (text !== null && Object.hasOwn(ways, text) ? (text as Way) : 'widget')

/** The address of this page with another way chosen; the rest of it stays. */
function addressOf(search: URLSearchParams, way: Way): string {
  const next = new URLSearchParams(search)
  next.set('way', way)
  return `?${next}`
}

type WaysProps = { place: LinkPlace; origin: string | undefined; onMade: (id: string, by: Way) => void }

/** The three ways to connect, as tabs in the URL. One that was begun stays as it is behind the others, so a look at another loses nothing. */
export function Ways({ place, origin, onMade }: WaysProps) {
  const search = useSearchParams()
  const way = wayOf(search.get('way'))
  const [begun, setBegun] = useState<ReadonlySet<Way>>(new Set([way]))
  if (!begun.has(way)) setBegun(new Set([...begun, way]))
  const go = (next: Way) => history.replaceState(null, '', addressOf(search, next))
  const choose = (next: Way) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(next)
  }
  return (
    <section aria-label="Ways to connect" className="grid gap-3">
      <TabLinks label="Ways to connect">
        {(Object.keys(ways) as Way[]).map((each) => (
          <a
            key={each}
            href={addressOf(search, each)}
            onClick={choose(each)}
            aria-current={each === way ? 'page' : undefined}
            className={tabLinkClasses(each === way)}
          >
            {ways[each]}
          </a>
        ))}
      </TabLinks>
      <div hidden={way !== 'widget'}>
        {begun.has('widget') && (
          <HostedWidget place={place} origin={origin} onMade={(id) => onMade(id, 'widget')} onTypeHere={() => go('bank')} />
        )}
      </div>
      <div hidden={way !== 'bank'}>{begun.has('bank') && <BankDetails place={place} onMade={(id) => onMade(id, 'bank')} />}</div>
      <div hidden={way !== 'token'}>{begun.has('token') && <AggregatorToken place={place} onMade={(id) => onMade(id, 'token')} />}</div>
    </section>
  )
}
