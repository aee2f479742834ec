import { RelativeTime } from '@/components/kits/layout/relative-time'
import { CopyButton } from '@/components/ui/copy-button'
import { Notice } from '@/components/ui/notice'
import type { InvitationLink } from '@/lib/operations/people'

/** A notice with the invitation link. The link is shown only once. */
export const OneTimeLink = ({
  invited: { link, expires_at, mailed, waiting },
}: {
  invited: InvitationLink
}) => (
  <Notice
    role="status"
    tone="good"
    title="Invitation link"
    actions={
      <CopyButton text={link} what="invitation link" className="border border-control">
        Copy the link
      </CopyButton>
    }
  >
    <p>
      {mailed
        ? 'It was emailed to the person. If you give it on yourself, give it'
        : 'Give it to the person yourself, and'}{' '}
      to nobody else: whoever opens it sets the password. It works once, until{' '}
      <RelativeTime at={expires_at} show="moment" />, and is not shown again.
    </p>
    {waiting.length > 0 && (
      <p>
        The role waits for another admin. Until they confirm it, the person can sign in and sees
        nothing.
      </p>
    )}
    <p>
      <code className="select-all break-all font-mono text-xs">{link}</code>
    </p>
  </Notice>
)
