package node

import (
	"missiond/internal/service/accounts"
	"missiond/internal/service/missions"
	"missiond/mission"
)

// The results of mutations that return one record, or a list of them.
type (
	// ApproveContentPayload is the result of approveContent.
	ApproveContentPayload struct{ Content mission.Content }
	// ApproveContentsPayload is the result of approveContents.
	ApproveContentsPayload struct {
		Contents []mission.Content
		Results  []missions.Reviewed
	}
	// CancelContentsPayload is the result of cancelContents.
	CancelContentsPayload struct{ Results []missions.Reviewed }
	// CancelContentPayload is the result of cancelContent.
	CancelContentPayload struct{ Content mission.Content }
	// CommentContentPayload is the result of commentContent.
	CommentContentPayload struct{ Comment mission.ReviewComment }
	// CompleteMissionPayload is the result of completeMission.
	CompleteMissionPayload struct{ Mission mission.Mission }
	// CreateContentPayload is the result of createContent.
	CreateContentPayload struct{ Content mission.Content }
	// CreateContentsPayload is the result of createContents.
	CreateContentsPayload struct{ Results []missions.Posted }
	// CreateMissionPayload is the result of createMission.
	CreateMissionPayload struct{ Mission mission.Mission }
	// CreateReviewLinkPayload is the result of createReviewLink.
	CreateReviewLinkPayload struct {
		ReviewLink mission.ReviewLink
		URL        string
	}
	// DeleteTenantPayload is the result of deleteTenant.
	DeleteTenantPayload struct{ Tenant mission.Tenant }
	// DuplicateMissionPayload is the result of duplicateMission.
	DuplicateMissionPayload struct{ Mission mission.Mission }
	// EditContentPayload is the result of editContent.
	EditContentPayload struct{ Content mission.Content }
	// EndSessionPayload is the result of endSession.
	EndSessionPayload struct{ EndedID string }
	// MarkNotificationsReadPayload is the result of markNotificationsRead.
	MarkNotificationsReadPayload struct{ Notifications []mission.Notification }
	// MarkAllNotificationsReadPayload is the result of markAllNotificationsRead.
	MarkAllNotificationsReadPayload struct{ Marked int }
	// RedeliverPayload is the result of redeliver.
	RedeliverPayload struct{ Delivery mission.Delivery }
	// RevokeReviewLinkPayload is the result of revokeReviewLink.
	RevokeReviewLinkPayload struct{ ReviewLink mission.ReviewLink }
	// RegenerateContentPayload is the result of regenerateContent.
	RegenerateContentPayload struct{ Content mission.Content }
	// RejectContentsPayload is the result of rejectContents.
	RejectContentsPayload struct{ Results []missions.Reviewed }
	// RejectContentPayload is the result of rejectContent.
	RejectContentPayload struct{ Content mission.Content }
	// ReopenContentPayload is the result of reopenContent.
	ReopenContentPayload struct{ Content mission.Content }
	// RescheduleContentsPayload is the result of rescheduleContents.
	RescheduleContentsPayload struct{ Results []missions.Reviewed }
	// RescheduleContentPayload is the result of rescheduleContent.
	RescheduleContentPayload struct{ Content mission.Content }
	// UpdatePreferencesPayload is the result of updatePreferences.
	UpdatePreferencesPayload struct{ Preferences accounts.Preferences }
	// SavePostDraftPayload is the result of savePostDraft.
	SavePostDraftPayload struct{ Draft mission.PostDraft }
	// SetTenantWriterPayload is the result of setTenantWriter.
	SetTenantWriterPayload struct{ Writer TenantWriter }
	// RemoveTenantWriterPayload is the result of removeTenantWriter.
	RemoveTenantWriterPayload struct{ Writer TenantWriter }
	// SetTenantPlatformPayload is the result of setTenantPlatform.
	SetTenantPlatformPayload struct{ App PlatformApp }
	// RemoveTenantPlatformPayload is the result of removeTenantPlatform.
	RemoveTenantPlatformPayload struct{ App PlatformApp }
	// HoldTenantPayload is the result of holdTenant.
	HoldTenantPayload struct{ Hold *mission.Hold }
	// ReleaseTenantPayload is the result of releaseTenant.
	ReleaseTenantPayload struct{ Hold *mission.Hold }
	// RestoreTenantPayload is the result of restoreTenant.
	RestoreTenantPayload struct{ Tenant mission.Tenant }
	// RetryMissionPayload is the result of retryMission.
	RetryMissionPayload struct{ Mission mission.Mission }
	// SettleContentPayload is the result of settleContent.
	SettleContentPayload struct{ Content mission.Content }
	// StartMissionPayload is the result of startMission.
	StartMissionPayload struct{ Mission mission.Mission }
	// UpdateMemberPayload is the result of updateMember.
	UpdateMemberPayload struct{ Member mission.User }
	// UpdateMissionPayload is the result of updateMission.
	UpdateMissionPayload struct{ Mission mission.Mission }
	// UpdateTenantPayload is the result of updateTenant.
	UpdateTenantPayload struct{ Tenant mission.Tenant }
	// UpdateWebhookPayload is the result of updateWebhook.
	UpdateWebhookPayload struct{ Webhook mission.Webhook }
	// WriteSamplePayload is the result of writeSample.
	WriteSamplePayload struct{ Sample SamplePost }
)

// The results of mutations that delete a record.
type (
	// DeleteMissionPayload is the result of deleteMission.
	DeleteMissionPayload struct{ DeletedID string }
	// DeletePostDraftPayload is the result of deletePostDraft.
	DeletePostDraftPayload struct{ DeletedID string }
	// DeleteWebhookPayload is the result of deleteWebhook.
	DeleteWebhookPayload struct{ DeletedID string }
	// DisconnectIntegrationPayload is the result of disconnectIntegration.
	DisconnectIntegrationPayload struct{ DeletedID string }
)

// LogoutPayload is the result of logout.
type LogoutPayload struct{ Success bool }
