'use client'

import { startRegistration } from '@simplewebauthn/browser'
import { type ReactNode, useState } from 'react'
import { ErrorNotice } from '@/components/kits/feedback/error-notice'
import { SsoButton } from '@/components/kits/form/sso-button'
import { useHydrated } from '@/components/kits/layout/browser-state'
import { usePageContext } from '@/components/kits/layout/page-context'
import { Panel } from '@/components/kits/layout/panel'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { CallError } from '@/lib/client/call-error'
import type { SecondFactors } from '@/lib/operations/step-up'
import { profilePath } from '@/lib/routes'
import { AddTotp, type PendingTotp } from './add-totp'
import { FactorAddedAndUsedTimes, PasskeyRow } from './passkey-row'
import { RecoveryCodes } from './recovery-codes'
import { type FactorsState, useFactors } from './use-factors'

/** `passkeyHost` is null if Paydesk runs on an IP address, `currentHostname` before hydration. */
function whyNoPasskey(passkeyHost: string | null, currentHostname: string | null): string | null {
  if (passkeyHost === null)
    return 'Passkeys need a domain name instead of an IP address. Open Paydesk by its name (on this machine: http://localhost), or use an authenticator app.'
  return currentHostname !== null && currentHostname !== passkeyHost
    ? `Passkeys are bound to ${passkeyHost}. Open Paydesk there, or use an authenticator app.`
    : null
}

const createBrowserRefusedError = () =>
  new CallError('not_sent', 'The browser made no passkey. Nothing was added: try again.', {
    local: true,
  })

function PasskeySection({ hook }: { hook: FactorsState }) {
  const { passkeys, passkey_host: host } = hook.factors
  const isHydrated = useHydrated()
  const noPasskeyReason = whyNoPasskey(host, isHydrated ? location.hostname : null)
  const addPasskey = async () => {
    const addedFactor = await hook.run('add_passkey', async () => {
      const { enrollment, options } = await hook.ask('factors.begin_passkey', {})
      const credential = await startRegistration({ optionsJSON: options as never }).catch(() =>
        Promise.reject(createBrowserRefusedError()),
      )
      const passkeyName = `Passkey ${passkeys.length + 1}`
      return hook.ask('factors.add_passkey', {
        enrollment,
        name: passkeyName,
        passkey: { ...credential, response: { ...credential.response } },
      })
    })
    if (addedFactor) hook.added(addedFactor)
  }
  return (
    <FactorSection
      title="Passkeys"
      text="A fingerprint, a face, a screen lock or a security key. You confirm sensitive actions with a passkey, and it cannot be phished."
      action={
        <Button
          size="small"
          loading={hook.busy === 'add_passkey'}
          disabledReason={noPasskeyReason}
          onClick={() => void addPasskey()}
        >
          Add a passkey
        </Button>
      }
    >
      {noPasskeyReason && <p className="text-ink-3 text-xs">{noPasskeyReason}</p>}
      {passkeys.length > 0 && (
        <ul aria-label="Passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} hook={hook} />
          ))}
        </ul>
      )}
    </FactorSection>
  )
}

function AuthenticatorAppSection({ hook }: { hook: FactorsState }) {
  const { totp } = hook.factors
  const [pendingTotp, setPendingTotp] = useState<PendingTotp | null>(null)
  const beginTotp = async () =>
    setPendingTotp(await hook.run('begin_totp', () => hook.ask('factors.begin_totp', {})))
  const removeTotp = async () => {
    const remainingFactors = await hook.run('remove_totp', () =>
      hook.ask('factors.remove_totp', {}),
    )
    if (remainingFactors) hook.show(remainingFactors)
  }
  return (
    <FactorSection
      title="Authenticator app"
      text="An app on your phone that shows a code of six digits. Each code works once."
      action={
        <>
          {totp && (
            <Button
              size="small"
              loading={hook.busy === 'remove_totp'}
              onClick={() => void removeTotp()}
            >
              Remove<span className="sr-only"> the authenticator app</span>
            </Button>
          )}
          {!pendingTotp && (
            <Button
              size="small"
              loading={hook.busy === 'begin_totp'}
              onClick={() => void beginTotp()}
            >
              {totp ? 'Replace' : 'Add'}
              <span className="sr-only"> the authenticator app</span>
            </Button>
          )}
        </>
      }
    >
      {totp && <FactorAddedAndUsedTimes {...totp} />}
      {pendingTotp && (
        <AddTotp begun={pendingTotp} hook={hook} onDone={() => setPendingTotp(null)} />
      )}
    </FactorSection>
  )
}

function RecoveryCodeSection({ hook }: { hook: FactorsState }) {
  const { recovery_codes: codes, passkeys, totp } = hook.factors
  const createRecoveryCodes = async () => {
    const newCodes = await hook.run('new_codes', () => hook.ask('factors.new_codes', {}))
    if (newCodes) hook.added(newCodes)
  }
  const hasFactor = passkeys.length > 0 || totp !== null
  return (
    <FactorSection
      title="Recovery codes"
      text={
        codes
          ? `${codes.left} of 10 left. New ones replace them.`
          : 'For when you lose the others. They come with your first one.'
      }
      action={
        <Button
          size="small"
          loading={hook.busy === 'new_codes'}
          disabledReason={hasFactor ? null : 'Add a passkey or an authenticator app first.'}
          onClick={() => void createRecoveryCodes()}
        >
          Generate new codes
        </Button>
      }
    />
  )
}

type FactorSectionProps = { title: string; text: string; action: ReactNode; children?: ReactNode }

const FactorSection = ({ title, text, action, children }: FactorSectionProps) => (
  <section className="grid gap-2 border-line border-b py-3 first:pt-0 last:border-b-0 last:pb-0">
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="font-medium text-sm">{title}</h3>
        <p className="text-ink-2 text-xs">{text}</p>
      </div>
      <div className="flex flex-wrap gap-2">{action}</div>
    </div>
    {children}
  </section>
)

/**
 * Tells a person without a password how to add a second factor: only within ten minutes after an
 * SSO sign-in.
 */
function SsoFirstFactorNotice({ sso, justNow }: { sso: string; justNow: boolean }) {
  const { environment } = usePageContext()
  if (justNow) {
    return (
      <Notice tone="held" title="You have no second factor">
        <p>
          Sensitive actions are refused until you add one. You signed in a moment ago: add it now,
          within ten minutes.
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="held" title="You have no second factor">
      <div className="grid gap-3">
        <p>
          Releases, exports, reveals and other sensitive actions are refused until you add one. To
          add it, sign in again first: that holds for ten minutes.
        </p>
        <SsoButton next={profilePath(environment)} fresh label={`Sign in again with ${sso}`} />
      </div>
    </Notice>
  )
}

type SecondFactorSettingsProps = {
  factors: SecondFactors
  /**
   * What allows a person without a second factor to add one: the password, or an SSO sign-in in the
   * last ten minutes.
   */
  means: { password: boolean; ssoJustNow: boolean }
}

export function SecondFactorSettings({ factors, means }: SecondFactorSettingsProps) {
  const factorsState = useFactors(factors)
  const { environment, sso } = usePageContext()
  const { passkeys, totp, approvals_held_until: heldUntil } = factorsState.factors
  const hasNoFactor = passkeys.length === 0 && totp === null
  // The error of a wrong code is shown at the code field, so it is omitted here.
  const errorOutsideCodeField = factorsState.failed?.items.some(
    ({ reference }) => reference === 'code',
  )
    ? null
    : factorsState.failed
  return (
    <Panel title="Second factor">
      <div className="grid gap-3">
        {hasNoFactor && !means.password && sso && (
          <SsoFirstFactorNotice sso={sso} justNow={means.ssoJustNow} />
        )}
        {hasNoFactor && means.password && (
          <Notice tone="held" title="You have no second factor">
            <p>
              {environment === 'production'
                ? 'Releases, exports, reveals and other sensitive actions are refused in production until you add one.'
                : 'In the sandbox your password is enough. In production, sensitive actions are refused until you add one.'}
            </p>
          </Notice>
        )}
        {heldUntil && (
          <Notice tone="held" title="Your approvals are on hold">
            <p>
              A second factor of yours was removed or replaced. You can approve requests again after{' '}
              <RelativeTime at={heldUntil} show="moment" />.
            </p>
          </Notice>
        )}
        {errorOutsideCodeField && (
          <ErrorNotice
            urgent
            what="Nothing was changed"
            error={errorOutsideCodeField.toWire()}
            requestId={errorOutsideCodeField.requestId}
          />
        )}
        {factorsState.codes && (
          <RecoveryCodes codes={factorsState.codes} onDone={factorsState.hideCodes} />
        )}
        <div>
          <PasskeySection hook={factorsState} />
          <AuthenticatorAppSection hook={factorsState} />
          <RecoveryCodeSection hook={factorsState} />
        </div>
      </div>
    </Panel>
  )
}
