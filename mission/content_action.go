package mission

// ContentAction is what a caller may do to a post.
type ContentAction string

// The actions on a post.
const (
	ContentApprove    ContentAction = "approve"
	ContentReject     ContentAction = "reject"
	ContentReopen     ContentAction = "reopen"
	ContentEdit       ContentAction = "edit"
	ContentRegenerate ContentAction = "regenerate"
	ContentReschedule ContentAction = "reschedule"
	ContentCancel     ContentAction = "cancel"
	ContentSettle     ContentAction = "settle"
)

// allContentActions lists the actions on a post.
func allContentActions() []ContentAction {
	return []ContentAction{
		ContentApprove, ContentReject, ContentReopen, ContentEdit, ContentRegenerate, ContentReschedule, ContentCancel, ContentSettle,
	}
}

// AllowedActions returns the actions that the states of the post and of its mission
// permit, by the rules of the actions themselves.
func (c Content) AllowedActions(m Status) []ContentAction {
	allowed := []ContentAction{}
	if c.CheckSettleable() == nil {
		return append(allowed, ContentSettle)
	}
	if m == StatusCompleted {
		return allowed
	}
	revisable := c.CheckRevisable("changed") == nil
	waiting := c.checkWaiting("moved") == nil
	for _, each := range []struct {
		action ContentAction
		ok     bool
	}{
		{ContentApprove, c.Status == ContentPendingReview},
		{ContentReject, c.Status == ContentPendingReview},
		{ContentReopen, c.CheckReopenable() == nil},
		{ContentEdit, revisable},
		{ContentRegenerate, revisable && c.Origin == OriginWriter && m == StatusActive},
		{ContentReschedule, waiting},
		{ContentCancel, waiting},
	} {
		if each.ok {
			allowed = append(allowed, each.action)
		}
	}
	return allowed
}
