import { Notice } from '@/components/ui/notice'
import type { SsoOutcome } from '@/lib/routes'

const ssoFailedTexts = {
  title: 'Single sign-on failed',
  detail:
    'You were not signed in. Try again; if it stays so, ask whoever runs Paydesk to look into its log.',
}

const textsByOutcome: Readonly<Record<SsoOutcome, { title: string; detail: string }>> = {
  // `entered` means that the identity provider signed the person in. If the sign-in page opens
  // again after that, the browser did not store the session cookie.
  entered: ssoFailedTexts,
  failed: ssoFailedTexts,
  refused: {
    title: 'You have no access to Paydesk',
    detail:
      'Your identity provider knows you, and Paydesk does not, or your access was deactivated. Ask an admin to invite you.',
  },
  cancelled: {
    title: 'Sign-in canceled',
    detail: 'Your identity provider did not let you in, or you went back. You were not signed in.',
  },
  limited: {
    title: 'Too many failed sign-ins',
    detail:
      'You were not signed in: too many failed sign-ins came from your network. Wait a minute and try again.',
  },
}

export const SsoNotice = ({ outcome }: { outcome: SsoOutcome }) => (
  <Notice
    tone={outcome === 'cancelled' ? 'held' : 'bad'}
    title={textsByOutcome[outcome].title}
    role="alert"
  >
    <p>{textsByOutcome[outcome].detail}</p>
  </Notice>
)
