'use client'

import { useMutation } from '@tanstack/react-query'
import { CredentialsForm } from '@/components/kits/form/credentials-form'
import { SsoButton } from '@/components/kits/form/sso-button'
import { Notice } from '@/components/ui/notice'
import { signIn } from '@/lib/client/session'
import type { Role } from '@/lib/operations/define'
import { forgotPasswordPath, type SsoOutcome } from '@/lib/routes'
import { SsoNotice } from './sso-notice'

export type DemoPerson = { email: string; name: string; roles: readonly Role[]; password: string }

const roleDescriptions: Record<Role, string> = {
  admin: 'everything operators and reviewers do, and the settings',
  operator: 'creates, releases, holds and cancels payments',
  reviewer: 'decides on paykeys and customers, uploads proof',
  viewer: 'read-only; sees why each button is unavailable',
}

/** A full page load, so that the server renders every part of the page for the new session. */
const loadPage = (path: string) => location.assign(path)

type SignInFormProps = {
  next: string
  people: readonly DemoPerson[]
  canReset: boolean
  /** Name of the identity provider; null if none is configured. */
  sso: string | null
  outcome: SsoOutcome | null
}

export function SignInForm({ next, people, canReset, sso, outcome }: SignInFormProps) {
  const { mutate, isPending, variables, data } = useMutation({
    mutationFn: ({ email, password }: DemoPerson) => signIn(email, password),
    onSuccess: (result) => result === 'ok' && loadPage(next),
  })
  // The button stays busy after a success, until the next page has loaded.
  const signingInPerson = isPending || data === 'ok' ? variables : null
  const hasFailed = !signingInPerson && data !== undefined
  return (
    <div className="grid gap-6">
      {outcome && <SsoNotice outcome={outcome} />}
      {people.length > 0 && (
        <section aria-labelledby="demo" className="grid gap-3">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h2 id="demo" className="font-semibold text-sm">
              Demo users
            </h2>
            <p className="text-ink-3 text-xs">
              password{' '}
              <code className="select-all font-mono text-ink-2">{people[0]?.password}</code>
            </p>
          </div>
          {hasFailed && (
            <Notice tone="bad" title="Sign-in failed" role="alert">
              <p>The demo user could not sign in. Wait a moment and try again.</p>
            </Notice>
          )}
          <ul className="divide-y divide-line overflow-hidden rounded border border-line bg-surface">
            {people.map((person) => (
              <li key={person.email}>
                <DemoButton
                  person={person}
                  busy={signingInPerson?.email === person.email}
                  onEnter={() => signingInPerson || mutate(person)}
                />
              </li>
            ))}
          </ul>
          <OrDivider>or use your own account</OrDivider>
        </section>
      )}
      {sso && (
        <>
          <SsoButton
            next={next}
            label={`Sign in with ${sso}`}
            size="large"
            variant="primary"
            className="w-full"
          />
          <OrDivider>or with a password</OrDivider>
        </>
      )}
      <CredentialsForm onDone={() => loadPage(next)} />
      {canReset && (
        <p className="text-sm">
          <a href={forgotPasswordPath} className="underline underline-offset-2">
            Forgot your password?
          </a>
        </p>
      )}
    </div>
  )
}

const OrDivider = ({ children }: { children: string }) => (
  <p className="flex items-center gap-3 text-ink-3 text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    {children}
  </p>
)

function DemoButton({
  person,
  busy,
  onEnter,
}: {
  person: DemoPerson
  busy: boolean
  onEnter: () => void
}) {
  return (
    <button
      type="button"
      onClick={onEnter}
      aria-busy={busy || undefined}
      className="grid min-h-12 w-full grid-cols-[5rem_1fr_auto] items-center gap-x-3 px-3 py-2 text-left outline-offset-[-2px] transition-tint hover:bg-sunken"
    >
      <span className="font-semibold text-sm capitalize">{person.roles.join(', ')}</span>
      <span className="grid">
        <span className="text-ink-2 text-sm">
          {person.roles.map((role) => roleDescriptions[role]).join('; ')}
        </span>
        <span className="break-all text-ink-3 text-xs">{person.email}</span>
      </span>
      <span aria-hidden="true" className="text-ink-3 text-sm">
        {busy ? '…' : '→'}
      </span>
    </button>
  )
}
