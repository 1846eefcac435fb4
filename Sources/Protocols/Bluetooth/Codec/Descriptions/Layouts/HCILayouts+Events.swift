extension HCILayouts {
    /// Events, and after `3E.` those of LE (Core 5.4 Vol 4 Part E 7.7).
    static let eventTable = """
        01 InquiryComplete 7.7.1 status
        03 ConnectionComplete 7.7.3 status connection_handle bd_addr link_type encryption_mode
        04 ConnectionRequest 7.7.4 bd_addr class_of_device:u24 link_type
        05 DisconnectionComplete 7.7.5 status connection_handle reason
        06 AuthenticationComplete 7.7.6 status connection_handle
        07 RemoteNameRequestComplete 7.7.7 status bd_addr remote_name:248
        08 EncryptionChange 7.7.8 status connection_handle encryption_enable
        59 EncryptionChangeV2 7.7.8 status connection_handle encryption_enable enc_key_size
        0B ReadRemoteSupportedFeaturesComplete 7.7.11 status connection_handle lmp_features:8
        0C ReadRemoteVersionInformationComplete 7.7.12 status connection_handle lmp_vers_nr \
            comp_id:u16 lmp_sub_vers_nr:u16
        0E CommandComplete 7.7.14 num_command_packets opcode:u16 ret_params:rest
        0F CommandStatus 7.7.15 status num_command_packets opcode:u16
        10 HardwareError 7.7.16 hardware_code
        12 RoleChange 7.7.18 status bd_addr role
        13 NumberOfCompletedPackets 7.7.19 handles[ connection_handle num_compl_packets:u16 ]
        14 ModeChange 7.7.20 status connection_handle current_mode interval:u16
        17 LinkKeyRequest 7.7.23 bd_addr
        18 LinkKeyNotification 7.7.24 bd_addr link_key:16 key_type
        1A DataBufferOverflow 7.7.26 link_type
        1B MaxSlotsChange 7.7.27 connection_handle max_slots
        20 PageScanRepetitionModeChange 7.7.31 bd_addr page_scan_repetition_mode
        23 ReadRemoteExtendedFeaturesComplete 7.7.34 status connection_handle page_number \
            max_page_number lmp_features:8
        30 EncryptionKeyRefreshComplete 7.7.39 status connection_handle
        31 IOCapabilityRequest 7.7.40 bd_addr
        32 IOCapabilityResponse 7.7.41 bd_addr io_capability oob_data_present auth_requirements
        33 UserConfirmationRequest 7.7.42 bd_addr numeric_value:u32
        36 SimplePairingComplete 7.7.45 status bd_addr
        38 LinkSupervisionTimeoutChanged 7.7.46 connection_handle link_supervision_timeout:u16
        FF Vendor 5.4.4 data:rest
        3E.01 LEConnectionComplete 7.7.65.1 status connection_handle role le_peer_address_type \
            bd_addr le_con_interval:u16 le_con_latency:u16 le_supv_timeout:u16 \
            le_master_clock_accuracy
        3E.02 LEAdvertisingReport 7.7.65.2 reports[ le_advts_event_type le_peer_address_type \
            bd_addr data:counted rssi:i8 ]
        3E.03 LEConnectionUpdateComplete 7.7.65.3 status connection_handle le_con_interval:u16 \
            le_con_latency:u16 le_supv_timeout:u16
        3E.04 LEReadRemoteFeaturesComplete 7.7.65.4 status connection_handle le_features:u64
        3E.05 LELongTermKeyRequest 7.7.65.5 connection_handle le_random_number:8 \
            le_encrypted_diversifier:u16
        3E.06 LERemoteConnectionParameterRequest 7.7.65.6 connection_handle le_min_interval:u16 \
            le_max_interval:u16 le_con_latency:u16 le_supv_timeout:u16
        3E.07 LEDataLengthChange 7.7.65.7 connection_handle max_tx_octets:u16 max_tx_time:u16 \
            max_rx_octets:u16 max_rx_time:u16
        3E.08 LEReadLocalP256PublicKeyComplete 7.7.65.8 status le_local_p_256_public_key:64
        3E.09 LEGenerateDHKeyComplete 7.7.65.9 status dhkey:32
        3E.0A LEEnhancedConnectionComplete 7.7.65.10 status connection_handle role \
            le_peer_address_type bd_addr le_local_rpa:address le_peer_rpa:address \
            le_con_interval:u16 le_con_latency:u16 le_supv_timeout:u16 le_master_clock_accuracy
        3E.29 LEEnhancedConnectionCompleteV2 7.7.65.10 status connection_handle role \
            le_peer_address_type bd_addr le_local_rpa:address le_peer_rpa:address \
            le_con_interval:u16 le_con_latency:u16 le_supv_timeout:u16 le_master_clock_accuracy \
            advertising_handle sync_handle:u16
        3E.0B LEDirectedAdvertisingReport 7.7.65.11 reports[ le_advts_event_type \
            le_peer_address_type bd_addr le_direct_address_type direct_bd_addr:address rssi:i8 ]
        3E.0C LEPHYUpdateComplete 7.7.65.12 status connection_handle le_tx_phy le_rx_phy
        3E.0D LEExtendedAdvertisingReport 7.7.65.13 reports[ le_ext_advts_event_type:u16 \
            le_peer_address_type bd_addr primary_phy secondary_phy advertising_sid tx_power:i8 \
            rssi:i8 periodic_advertising_interval:u16 le_direct_address_type \
            direct_bd_addr:address data:counted ]
        3E.11 LEScanTimeout 7.7.65.17
        3E.12 LEAdvertisingSetTerminated 7.7.65.18 status advertising_handle connection_handle \
            num_compl_ext_adv_events
        3E.14 LEChannelSelectionAlgorithm 7.7.65.20 connection_handle channel_selection_algorithm
        """
}
