'use client'

import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { AccountChoicesStatus, useAccountChoices } from '@/components/kits/form/account-choices'
import { Link } from '@/components/kits/layout/link'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { usePageContext } from '@/components/kits/layout/page-context'
import { usePathInScope } from '@/components/shell/scope-path'
import { cn } from '@/components/ui/cn'
import { ShortId } from '@/components/ui/copy-button'
import { Input } from '@/components/ui/input'
import type { AccountChoice } from '@/lib/client/page-context'
import { foldText } from '@/lib/domain/text-forms'
import { homePath } from '@/lib/routes'

const isMatchingAccount = (choice: AccountChoice, searchText: string) =>
  foldText(`${choice.name} ${choice.id}`).includes(foldText(searchText))

type AccountPanelProps = { platformAllowed: boolean; onDone: () => void }

/** Lists links that open the current page for another account. */
export function AccountPanel({ platformAllowed, onDone }: AccountPanelProps) {
  const context = usePageContext()
  const getPathInScope = usePathInScope()
  const queryClient = useQueryClient()
  const [searchText, setSearchText] = useState('')
  const accountChoices = useAccountChoices()
  const matchingChoices = accountChoices.accounts.filter((choice) =>
    isMatchingAccount(choice, searchText),
  )
  const leaveScope = () => {
    queryClient.removeQueries({ type: 'inactive' })
    onDone()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside, which Tab reaches as well
    <div onKeyDown={moveFocusByArrowKey} className="grid">
      <div className="grid gap-2 border-line border-b p-2">
        {context.environments.length > 1 && (
          <nav aria-label="Environments" className="flex gap-1">
            {context.environments.map((each) => (
              <AccountLink
                key={each}
                href={homePath(each)}
                current={each === context.environment}
                onClick={leaveScope}
                short
              >
                {each.toUpperCase()}
              </AccountLink>
            ))}
          </nav>
        )}
        <Input
          autoFocus
          aria-label="Find an account by name or ID"
          placeholder="Find by name or ID"
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
      </div>
      <AccountChoicesStatus choices={accountChoices} className="m-2" />
      <ul className="max-h-80 overflow-y-auto p-1">
        {platformAllowed && searchText.trim() === '' && (
          <li>
            <AccountLink
              href={getPathInScope(null)}
              current={context.account === null}
              onClick={leaveScope}
            >
              <span className="font-medium">Whole platform</span>
              <span className="text-ink-3 text-xs">
                All accounts. Paydesk finds the account of a payout before you act.
              </span>
            </AccountLink>
          </li>
        )}
        {matchingChoices.map((choice) => (
          <li key={choice.id}>
            <AccountLink
              href={getPathInScope(choice.id)}
              current={choice.id === context.account}
              onClick={leaveScope}
            >
              <span className="flex items-baseline justify-between gap-2">
                <ExternalText className="truncate font-medium">{choice.name}</ExternalText>
                <span className="shrink-0 text-ink-3 text-xs">{choice.status}</span>
              </span>
              <ShortId id={choice.id} className="text-ink-3" />
            </AccountLink>
          </li>
        ))}
      </ul>
      {!accountChoices.reading && (
        <p
          role="status"
          className={cn('px-3 pb-3 text-ink-3 text-xs', matchingChoices.length > 0 && 'sr-only')}
        >
          {matchingChoices.length > 0
            ? `${matchingChoices.length} accounts`
            : 'No account matches. Clear the field to see all.'}
        </p>
      )}
    </div>
  )
}

function AccountLink({
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
      onClick={onClick}
      aria-current={current ? 'true' : undefined}
      className={cn(
        'rounded-sm px-2 outline-offset-[-2px] hover:bg-ink/5',
        short
          ? 'flex h-7 flex-1 items-center justify-center border border-line font-semibold text-2xs'
          : 'grid grid-cols-1 py-1.5 text-sm',
        current && 'bg-selected',
      )}
    >
      {children}
    </Link>
  )
}

/**
 * Moves the focus with the arrow keys from the search field to the links and between them. Enter in
 * the search field opens the first link.
 */
function moveFocusByArrowKey(event: KeyboardEvent<HTMLElement>) {
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('ul a')]
  const focusStep = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
    event.preventDefault()
    links[0]?.click()
  }
  if (!focusStep) return
  event.preventDefault()
  const focusedIndex = links.findIndex((link) => link.matches(':focus'))
  links[Math.max(0, Math.min(links.length - 1, focusedIndex + focusStep))]?.focus()
}
