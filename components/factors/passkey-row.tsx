'use client'

import { type FormEvent, useState } from 'react'
import { ExternalText } from '@/components/kits/layout/outside-text'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import type { PasskeyView } from '@/lib/operations/step-up'
import type { FactorsState } from './use-factors'

export const FactorAddedAndUsedTimes = ({
  created_at,
  last_used_at,
}: {
  created_at: string
  last_used_at: string | null
}) => (
  <span className="text-ink-3 text-xs">
    Added <RelativeTime at={created_at} show="moment" />
    {last_used_at ? (
      <>
        , last used <RelativeTime at={last_used_at} show="ago" />
      </>
    ) : (
      ', not used yet'
    )}
  </span>
)

function RenamePasskeyForm({
  passkey,
  hook,
  onDone,
}: {
  passkey: PasskeyView
  hook: FactorsState
  onDone: () => void
}) {
  const [name, setName] = useState(passkey.name)
  const renamePasskey = async (event: FormEvent) => {
    event.preventDefault()
    const factorsAfterRename = await hook.run('rename', () =>
      hook.ask('factors.rename_passkey', { id: passkey.id, name }),
    )
    if (factorsAfterRename) {
      hook.show(factorsAfterRename)
      onDone()
    }
  }
  return (
    <form
      noValidate
      onSubmit={renamePasskey}
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2"
    >
      <Input
        aria-label="Name of the passkey"
        value={name}
        maxLength={60}
        onChange={(event) => setName(event.target.value)}
        className="max-w-60"
      />
      <Button type="submit" size="small" variant="primary" loading={hook.busy === 'rename'}>
        Save
      </Button>
      <Button size="small" variant="quiet" onClick={onDone}>
        Cancel
      </Button>
    </form>
  )
}

export function PasskeyRow({ passkey, hook }: { passkey: PasskeyView; hook: FactorsState }) {
  const [isRenaming, setRenaming] = useState(false)
  const { id, name } = passkey
  const removePasskey = async () => {
    const remainingFactors = await hook.run(id, () => hook.ask('factors.remove_passkey', { id }))
    if (remainingFactors) hook.show(remainingFactors)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b py-2 last:border-b-0">
      {isRenaming ? (
        <RenamePasskeyForm passkey={passkey} hook={hook} onDone={() => setRenaming(false)} />
      ) : (
        <>
          <span className="grid min-w-0 flex-1 basis-48">
            <ExternalText className="break-words font-medium text-sm">{name}</ExternalText>
            <FactorAddedAndUsedTimes {...passkey} />
          </span>
          <span className="flex gap-2">
            <Button size="small" onClick={() => setRenaming(true)}>
              Rename<span className="sr-only"> {name}</span>
            </Button>
            <Button size="small" loading={hook.busy === id} onClick={() => void removePasskey()}>
              Remove<span className="sr-only"> {name}</span>
            </Button>
          </span>
        </>
      )}
    </li>
  )
}
