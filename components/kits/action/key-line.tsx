import { CopyButton } from '@/components/ui/copy-button'
import { shortKey } from '@/lib/client/keys'

/** The idempotency key in sight: the same key is the same request, however often it is sent. */
export const KeyLine = ({ idempotencyKey }: { idempotencyKey: string }) => (
  <span className="ml-auto flex items-center gap-1 text-ink-3 text-xs">
    Key <code className="font-mono">{shortKey(idempotencyKey)}</code>
    <CopyButton text={idempotencyKey} what="idempotency key" />
  </span>
)
