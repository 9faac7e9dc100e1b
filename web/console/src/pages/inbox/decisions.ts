import { graphql } from 'react-relay'

// What a reviewer does. An approved or rejected post leaves the list at once: its new
// state is assumed, and taken back if the service refuses. Of many posts at once only what
// a decision changes is read again, and their texts.
export const approve = graphql`
  mutation decisionsApproveMutation($id: ID!, $revision: Int!) @raw_response_type {
    approveContent(id: $id, revision: $revision) {
      content {
        id
        status
        revision
        updatedAt
      }
    }
  }
`

export const approveAll = graphql`
  mutation decisionsApproveAllMutation($items: [ReviewedInput!]!) {
    approveContents(items: $items) {
      results {
        id
        content {
          id
          status
          revision
          text
          parts
          updatedAt
          type
          firstComment {
            text
          }
          allowedActions
          expiresAt
          scheduledAt
        }
        error {
          code
          message
        }
      }
    }
  }
`

export const rejectAll = graphql`
  mutation decisionsRejectAllMutation($items: [ReviewedInput!]!, $reason: String) {
    rejectContents(items: $items, reason: $reason) {
      results {
        id
        content {
          id
          status
          revision
          text
          parts
          rejectionReason
          updatedAt
          type
          firstComment {
            text
          }
          allowedActions
          expiresAt
          scheduledAt
        }
        error {
          code
          message
        }
      }
    }
  }
`

// reopen takes a decision back.
export const reopen = graphql`
  mutation decisionsReopenMutation($id: ID!) {
    reopenContent(id: $id) {
      content {
        id
        status
        revision
        expiresAt
        scheduledAt
        rejectionReason
        updatedAt
      }
    }
  }
`

export const reject = graphql`
  mutation decisionsRejectMutation($id: ID!, $reason: String, $revision: Int!) @raw_response_type {
    rejectContent(id: $id, reason: $reason, revision: $revision) {
      content {
        id
        status
        revision
        rejectionReason
        updatedAt
      }
    }
  }
`

export const rewrite = graphql`
  mutation decisionsRewriteMutation($id: ID!, $instructions: String, $revision: Int!) {
    regenerateContent(id: $id, instructions: $instructions, revision: $revision) {
      content {
        id
        status
        revision
        text
        expiresAt
        updatedAt
        ...PostContent_content
        ...Review_content
      }
    }
  }
`
