import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'

/** Recovery codes are shown only once. */
export const RecoveryCodes = ({
  codes,
  onDone,
}: {
  codes: readonly string[]
  onDone: () => void
}) => (
  <Notice
    role="status"
    tone="good"
    title="Your recovery codes"
    actions={
      <>
        <CopyButton text={codes.join('\n')} what="recovery codes" className="border border-control">
          Copy the codes
        </CopyButton>
        <Button size="small" onClick={onDone}>
          I saved these codes
        </Button>
      </>
    }
  >
    <p>
      Each one works once, if you lose your passkey or authenticator app. Keep them where only you
      can read them. They are not shown again.
    </p>
    <ul aria-label="Recovery codes" className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
      {codes.map((code) => (
        <li key={code} className="select-all font-mono text-ink text-sm">
          {code}
        </li>
      ))}
    </ul>
  </Notice>
)
