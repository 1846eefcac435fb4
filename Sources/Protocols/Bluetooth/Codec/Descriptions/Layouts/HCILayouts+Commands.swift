extension HCILayouts {
    /// Commands other than those of LE (Core 5.4 Vol 4 Part E 7.1 to 7.5).
    static let commandTable = """
        0401 Inquiry 7.1.1 lap:u24 inq_length num_responses
        0402 InquiryCancel 7.1.2 /
        0405 CreateConnection 7.1.5 bd_addr packet_type:u16 page_scan_repetition_mode \
            page_scan_mode clock_offset:u16 allow_role_switch
        0406 Disconnect 7.1.6 connection_handle reason
        0408 CreateConnectionCancel 7.1.7 bd_addr / bd_addr
        0409 AcceptConnectionRequest 7.1.8 bd_addr role
        040A RejectConnectionRequest 7.1.9 bd_addr reason
        040B LinkKeyRequestReply 7.1.10 bd_addr link_key:16 / bd_addr
        040C LinkKeyRequestNegativeReply 7.1.11 bd_addr / bd_addr
        0411 AuthenticationRequested 7.1.15 connection_handle
        0413 SetConnectionEncryption 7.1.16 connection_handle encryption_enable
        0419 RemoteNameRequest 7.1.19 bd_addr page_scan_repetition_mode page_scan_mode \
            clock_offset:u16
        041A RemoteNameRequestCancel 7.1.20 bd_addr / bd_addr
        041B ReadRemoteSupportedFeatures 7.1.21 connection_handle
        041C ReadRemoteExtendedFeatures 7.1.22 connection_handle page_number
        041D ReadRemoteVersionInformation 7.1.23 connection_handle
        042B IOCapabilityRequestReply 7.1.29 bd_addr io_capability oob_data_present \
            auth_requirements / bd_addr
        042C UserConfirmationRequestReply 7.1.30 bd_addr / bd_addr
        042D UserConfirmationRequestNegativeReply 7.1.31 bd_addr / bd_addr
        0434 IOCapabilityRequestNegativeReply 7.1.36 bd_addr reason / bd_addr
        0803 SniffMode 7.2.2 connection_handle sniff_max_int:u16 sniff_min_int:u16 \
            sniff_attempt:u16 timeout:u16
        0804 ExitSniffMode 7.2.3 connection_handle
        080B SwitchRole 7.2.8 bd_addr role
        080F WriteDefaultLinkPolicySettings 7.2.12 link_policy:u16 /
        0C01 SetEventMask 7.3.1 event_mask:u64 /
        0C03 Reset 7.3.2 /
        0C05 SetEventFilter 7.3.3 filter_type filter_condition:rest /
        0C12 DeleteStoredLinkKey 7.3.8 bd_addr delete_all_flag / num_keys_deleted:u16
        0C13 WriteLocalName 7.3.11 device_name:248 /
        0C14 ReadLocalName 7.3.12 / device_name:248
        0C16 WriteConnectionAcceptTimeout 7.3.14 timeout:u16 /
        0C18 WritePageTimeout 7.3.16 timeout:u16 /
        0C19 ReadScanEnable 7.3.17 / scan_enable
        0C1A WriteScanEnable 7.3.18 scan_enable /
        0C1C WritePageScanActivity 7.3.20 interval:u16 window:u16 /
        0C1E WriteInquiryScanActivity 7.3.22 interval:u16 window:u16 /
        0C23 ReadClassOfDevice 7.3.25 / class_of_device:u24
        0C24 WriteClassOfDevice 7.3.26 class_of_device:u24 /
        0C25 ReadVoiceSetting 7.3.27 / voice_setting:u16
        0C26 WriteVoiceSetting 7.3.28 voice_setting:u16 /
        0C2F WriteSynchronousFlowControlEnable 7.3.37 sco_flow_cont_enable /
        0C31 SetControllerToHostFlowControl 7.3.38 flow_contr_enable /
        0C33 HostBufferSize 7.3.39 max_data_length_acl:u16 max_data_length_sco \
            max_data_num_acl:u16 max_data_num_sco:u16 /
        0C35 HostNumberOfCompletedPackets 7.3.40 handles[ connection_handle num_compl_packets:u16 \
            ] /
        0C38 ReadNumberOfSupportedIAC 7.3.43 / num_supp_iac
        0C39 ReadCurrentIACLAP 7.3.44 / iacs[ iac_lap:u24 ]
        0C3A WriteCurrentIACLAP 7.3.45 iacs[ iac_lap:u24 ] /
        0C43 WriteInquiryScanType 7.3.48 inq_scan_type /
        0C45 WriteInquiryMode 7.3.50 inq_mode /
        0C47 WritePageScanType 7.3.52 page_scan_type /
        0C52 WriteExtendedInquiryResponse 7.3.56 fec_required eir:240 /
        0C55 ReadSimplePairingMode 7.3.58 / simple_pairing_mode
        0C56 WriteSimplePairingMode 7.3.59 simple_pairing_mode /
        0C58 ReadInquiryResponseTransmitPowerLevel 7.3.61 / transmit_power_level:i8
        0C63 SetEventMaskPage2 7.3.69 event_mask:u64 /
        0C6C ReadLEHostSupport 7.3.78 / le_supported_host le_simultaneous_host
        0C6D WriteLEHostSupport 7.3.79 le_supported_host le_simultaneous_host /
        0C7A WriteSecureConnectionsHostSupport 7.3.92 secure_connection_host_support /
        0C83 ConfigureDataPath 7.3.101 data_path_direction data_path_id data:counted /
        1001 ReadLocalVersionInformation 7.4.1 / hci_vers_nr hci_revision:u16 lmp_vers_nr \
            comp_id:u16 lmp_sub_vers_nr:u16
        1002 ReadLocalSupportedCommands 7.4.2 / local_supported_cmds:64
        1003 ReadLocalSupportedFeatures 7.4.3 / lmp_features:8
        1004 ReadLocalExtendedFeatures 7.4.4 page_number / page_number max_page_number \
            lmp_features:8
        1005 ReadBufferSize 7.4.5 / max_data_length_acl:u16 max_data_length_sco \
            max_data_num_acl:u16 max_data_num_sco:u16
        1009 ReadBDADDR 7.4.6 / bd_addr
        100B ReadLocalSupportedCodecs 7.4.8 / codecs:counted vendor_codecs:rest
        1405 ReadRSSI 7.5.4 connection_handle / connection_handle rssi:i8
        1408 ReadEncryptionKeySize 7.5.6 connection_handle / connection_handle enc_key_size
        """
}
