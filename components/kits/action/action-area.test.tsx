import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { PageContextProvider } from '@/components/kits/layout/page-context'
import type { PageContext } from '@/lib/client/page-context'
import type { WriteId } from '@/lib/operations/service-operations'
import { ActionArea } from './action-area'
import { ActionButtons } from './action-choices'
import { useOutcome } from './outcome'

afterEach(cleanup)

const context: PageContext = {
  ...{
    environment: 'sandbox',
    environments: ['sandbox'],
    scope: null,
    account: null,
    isLimited: false,
    needsAccount: false,
    denied: null,
  },
  ...{
    accounts: [],
    hasAllAccounts: true,
    accountsError: null,
    amountUnit: 'minor',
    integration: 'saas',
    embedded: true,
    sso: null,
  },
  person: {
    ...{ id: 'p', name: 'Omar', email: 'omar@paydesk.test' },
    ...{ roles: ['operator'], platformRoles: ['operator'], allRoles: ['operator'] },
  },
}

const buildError = (title: string) => ({ code: 'service_refused', title, detail: title }) as const

/** An action area with one action. The test can press Back in its form or set a refused outcome. */
function TestActionArea() {
  const [open, setOpen] = useState<WriteId | null>(null)
  const outcomeState = useOutcome({ actions: [], operation: 'payouts.hold' })
  return (
    <ActionArea
      id="one"
      choices={[{ operation: 'payouts.hold', opens: 'Hold…', disabledReason: null }]}
      state={outcomeState}
      open={open}
      onOpen={setOpen}
      now="On hold"
      form={({ operation, onBack, onOutcome }) => (
        <>
          <button type="button" onClick={onBack}>
            Back
          </button>
          <button
            type="button"
            onClick={() => onOutcome({ operation, error: buildError('Refused once') })}
          >
            Fail
          </button>
          <button
            type="button"
            onClick={() => onOutcome({ operation, error: buildError('Refused again') })}
          >
            Fail again
          </button>
        </>
      )}
    />
  )
}

const pressButton = (name: RegExp | string) =>
  act(async () => fireEvent.click(screen.getByRole('button', { name })))

async function renderAndOpenForm() {
  render(
    <SearchParamsContext value={new URLSearchParams()}>
      <PageContextProvider context={context}>
        <TestActionArea />
      </PageContextProvider>
    </SearchParamsContext>,
  )
  await pressButton(/^Hold…/)
}

test('after Back, the focus is on the button that opened the form', async () => {
  await renderAndOpenForm()
  screen.getByRole('button', { name: 'Back' }).focus()
  await pressButton('Back')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Hold…/ }))
})

test('each new outcome receives the focus', async () => {
  await renderAndOpenForm()
  await pressButton('Fail')
  await screen.findByText('Refused once', { selector: '[tabindex]' })
  expect(document.activeElement?.textContent).toBe('Refused once')
  screen.getByRole('button', { name: 'Fail again' }).focus()
  await pressButton('Fail again')
  await screen.findByText('Refused again', { selector: '[tabindex]' })
  expect(document.activeElement?.textContent).toBe('Refused again')
})

test('available actions come first, and the first one is primary', () => {
  const choose = () => {}
  render(
    <ActionButtons
      id="one"
      choices={[
        { operation: 'payouts.release', opens: 'Release…', disabledReason: 'The hold is final.' },
        { operation: 'payouts.cancel', opens: 'Cancel payout…', disabledReason: null },
        { operation: 'payouts.update', opens: 'Edit…', disabledReason: null },
      ]}
      onChoose={choose}
      expanded={false}
      onExpand={choose}
    />,
  )
  const [first, second, last, more] = screen.getAllByRole('button')
  expect(first?.textContent).toBe('Cancel payout…')
  expect(first?.className).toContain('bg-accent')
  expect(second?.textContent).toBe('Edit…')
  expect(second?.className).not.toContain('bg-accent')
  expect(last?.textContent).toBe('Release…')
  expect(more?.textContent).toBe('More')
  expect(screen.getByText('Release unavailable: The hold is final.')).toBeTruthy()
})
