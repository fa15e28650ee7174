// Package skill recognises which skills a vacancy advert asks for, and at what
// level.
package skill
