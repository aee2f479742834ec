'use client'

import Link from 'next/link'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { useDesk } from '@/components/kits/layout/desk-context'
import { cn } from '@/components/ui/cn'
import { Input } from '@/components/ui/input'
import { ShortId } from '@/components/ui/short-id'
import type { AccountChoice } from '@/lib/client/desk'
import { queryClient } from '@/lib/client/query-client'
import { homePath } from '@/lib/routes'
import { usePathInScope } from './scope-path'

const fits = (choice: AccountChoice, words: string) => `${choice.name} ${choice.id}`.toLowerCase().includes(words.trim().toLowerCase())

/** The list of the account switcher: the same page in another scope, found by name or id. */
export function AccountPanel({ platformAllowed, onDone }: { platformAllowed: boolean; onDone: () => void }) {
  const desk = useDesk()
  const pathInScope = usePathInScope()
  const [words, setWords] = useState('')
  const found = desk.accounts.filter((choice) => fits(choice, words))
  const leave = () => {
    queryClient().removeQueries({ type: 'inactive' })
    onDone()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys walk the links inside, which are all reachable by Tab as well
    <div onKeyDown={walk} className="grid">
      <div className="grid gap-2 border-line border-b p-2">
        {desk.environments.length > 1 && (
          <nav aria-label="Environments" className="flex gap-1">
            {desk.environments.map((each) => (
              <Entry key={each} href={homePath(each)} current={each === desk.environment} onClick={leave} short>
                {each.toUpperCase()}
              </Entry>
            ))}
          </nav>
        )}
        <Input
          autoFocus
          aria-label="Find an account by name or id"
          placeholder="Find by name or id"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {desk.accountsError && <ErrorNotice className="m-2" error={desk.accountsError} what="The accounts could not be read" />}
      <ul className="max-h-80 overflow-y-auto p-1">
        {platformAllowed && words.trim() === '' && (
          <li>
            <Entry href={pathInScope(null)} current={desk.account === null} onClick={leave}>
              <span className="font-medium">Whole platform</span>
              <span className="text-ink-3 text-xs">All accounts. To act on a payout its account is found first.</span>
            </Entry>
          </li>
        )}
        {found.map((choice) => (
          <li key={choice.id}>
            <Entry href={pathInScope(choice.id)} current={choice.id === desk.account} onClick={leave}>
              <span className="flex items-baseline justify-between gap-2">
                <span className="truncate font-medium">{choice.name}</span>
                <span className="shrink-0 text-ink-3 text-xs">{choice.status}</span>
              </span>
              <ShortId id={choice.id} className="text-ink-3" />
            </Entry>
          </li>
        ))}
      </ul>
      <p role="status" className={cn('px-3 pb-3 text-ink-3 text-xs', found.length > 0 && 'sr-only')}>
        {found.length > 0 ? `${found.length} accounts` : 'No account fits. Clear the field to see all.'}
      </p>
    </div>
  )
}

function Entry({
  href,
  current,
  onClick,
  short,
  children,
}: {
  href: string
  current: boolean
  onClick: () => void
  short?: boolean
  children: ReactNode
}) {
  return (
    <Link
      href={href}
      prefetch={false}
      onClick={onClick}
      aria-current={current ? 'true' : undefined}
      className={cn(
        'rounded-sm px-2 outline-offset-[-2px] hover:bg-ink/5',
        short ? 'flex h-7 flex-1 items-center justify-center border border-line font-semibold text-2xs' : 'grid grid-cols-1 py-1.5 text-sm',
        current && 'bg-selected',
      )}
    >
      {children}
    </Link>
  )
}

/** Arrow keys walk from the field through the links; Enter in the field takes the first one. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('ul a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
    event.preventDefault()
    links[0]?.click()
  }
  if (!step) return
  event.preventDefault()
  const at = links.findIndex((link) => link.matches(':focus'))
  links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus()
}
